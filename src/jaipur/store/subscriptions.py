"""Rows about browsers that take messages while their page is closed."""

import hashlib
from dataclasses import asdict, dataclass

from sqlalchemy import delete, insert, select

from jaipur.store.schema import subscriptions
from jaipur.store.store import Store

MOST_EACH = 5
"""Browsers of one person; a new one takes the place of the one that was longest not heard of."""


@dataclass(frozen=True)
class Subscription:
    """A browser of a person: the address of its push service, its public key and secret, and its language.

    The address lets anybody who knows it send, so it is a secret too.
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
        """Keeps a subscription, in place of what was known of the same browser."""
        newest = (
            select(subscriptions.c.id)
            .where(subscriptions.c.holder == new.holder)
            .order_by(subscriptions.c.at.desc(), subscriptions.c.id)
            .limit(MOST_EACH)
        )
        with self.store.writing() as connection:
            connection.execute(delete(subscriptions).where(subscriptions.c.id == new.id))
            connection.execute(insert(subscriptions), {"id": new.id, **asdict(new)})
            kept = list(connection.execute(newest).scalars())
            others = (subscriptions.c.holder == new.holder) & subscriptions.c.id.not_in(kept)
            connection.execute(delete(subscriptions).where(others))

    def of(self, holder: str | None) -> list[Subscription]:
        """The browsers of a person, the newest first; no more than one person may have."""
        wanted = (
            select(*(column for column in subscriptions.c if column.name != "id"))
            .where(subscriptions.c.holder == holder)
            .order_by(subscriptions.c.at.desc(), subscriptions.c.id)
            .limit(MOST_EACH)
        )
        with self.store.reading() as connection:
            return [Subscription(*row) for row in connection.execute(wanted)]

    def remove(self, endpoint: str) -> None:
        """A browser does not want messages any more, or is gone."""
        with self.store.writing() as connection:
            connection.execute(delete(subscriptions).where(subscriptions.c.id == _id_of(endpoint)))

    def remove_before(self, at: int) -> None:
        """Removes what was not heard of since a time."""
        with self.store.writing() as connection:
            connection.execute(delete(subscriptions).where(subscriptions.c.at < at))


def _id_of(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()
