"""Rows about browsers that receive messages while the page is closed."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Column, Select, delete, insert, select

from jaipur.store.schema import columns, subscriptions
from jaipur.store.store import Store

MOST_EACH = 5
"""The most browsers per person; a new one replaces the one not heard from for longest."""


@dataclass(frozen=True)
class Subscription:
    """A person's browser: its address at the push service, its public key and secret, and its language.

    Anybody who knows the address can send to it, so it is a secret too.
    """

    holder: str
    endpoint: str
    key: str
    auth: str
    language: str
    at: int

    @property
    def id(self) -> str:
        """The hash of the address."""
        return _id_of(self.endpoint)


class Subscriptions:
    """The subscriptions of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def keep(self, new: Subscription) -> None:
        """Stores a subscription, replacing what was known about the same browser."""
        others = subscriptions.c.id.not_in(_newest(new.holder, subscriptions.c.id))
        with self.store.writing() as connection:
            connection.execute(delete(subscriptions).where(subscriptions.c.id == new.id))
            connection.execute(insert(subscriptions), {"id": new.id, **asdict(new)})
            connection.execute(delete(subscriptions).where(subscriptions.c.holder == new.holder, others))

    def of(self, holder: str | None) -> list[Subscription]:
        """A person's browsers, the newest first, at most `MOST_EACH`."""
        return self.store.fetch(Subscription, _newest(holder, *columns(Subscription, subscriptions)))

    def remove(self, endpoint: str) -> None:
        """Removes a browser that no longer wants messages, or that is gone."""
        with self.store.writing() as connection:
            connection.execute(delete(subscriptions).where(subscriptions.c.id == _id_of(endpoint)))

    def remove_before(self, at: int) -> None:
        """Removes browsers that have not been heard from since a given time."""
        with self.store.writing() as connection:
            connection.execute(delete(subscriptions).where(subscriptions.c.at < at))


def _newest(holder: str | None, *selected: Column[Any]) -> Select[Any]:
    newest = select(*selected).where(subscriptions.c.holder == holder)
    return newest.order_by(subscriptions.c.at.desc(), subscriptions.c.id).limit(MOST_EACH)


def _id_of(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()
