"""The server's own chores: it picks up what its operator has done, and clears out what is old."""

import asyncio
import ipaddress
import logging
from collections.abc import Callable
from itertools import count

from starlette.types import Scope

from jaipur.rules.errors import N_, JaipurError
from jaipur.server.config import Config
from jaipur.server.edge.client_address import Network, read_address
from jaipur.server.edge.guard import Refused
from jaipur.server.tasks import BackgroundTasks
from jaipur.store import People
from jaipur.store.administration import Administration, OperationKind
from jaipur.store.subscriptions import Subscriptions
from jaipur.table import Tables
from jaipur.threads import in_thread

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 2.0
_LOOKS_PER_SWEEP = 1800
_AT_ONCE = 50
"""Games removed per transaction: players wait for it no longer than for a move or two."""
_DAY = 24 * 3600 * 1000


def read_network(address: str) -> Network:
    """An address, or a network like 203.0.113.0/24."""
    try:
        return ipaddress.ip_network(address, strict=False)
    except ValueError as error:
        raise JaipurError(
            N_("“{address}” is not an address: write one like 203.0.113.7, or a network like 203.0.113.0/24."),
            address=address[:80],
        ) from error


class Housekeeping:
    """Reads the operator's list of operations, and removes what is old by the clock of the tables."""

    def __init__(self, tables: Tables, config: Config) -> None:
        self.tables = tables
        self.config = config
        self.administration = Administration(tables.store)
        self.people = People(tables.store)
        self.subscriptions = Subscriptions(tables.store)
        self.blocked: frozenset[Network] = frozenset()
        self._seen = 0
        self._tasks = BackgroundTasks()

    async def start(self) -> None:
        """Restores the list of blocked addresses, and keeps looking for changes."""
        await in_thread(self.look)
        self._tasks.spawn(self._keep_house())

    async def stop(self) -> None:
        """Stops looking."""
        await self._tasks.stop()

    async def _keep_house(self) -> None:
        for look in count():
            try:
                await in_thread(self.look if look % _LOOKS_PER_SWEEP else self.sweep)
            except Exception as error:  # whatever it was, the games go on and this is tried again
                _log.error("Housekeeping failed and is tried again: %s", error)
            await asyncio.sleep(_LOOK_SECONDS)

    def check(self, scope: Scope) -> None:
        """Refuses a request from a blocked address."""
        address = read_address(scope["client"][0]) if self.blocked else None
        if address is not None and any(address in network for network in self.blocked):
            raise Refused(403, N_("The operator of this server has blocked your address."))

    def look(self) -> None:
        """Applies what the operator has done since the last look."""
        for operation in self.administration.operations(self._seen):
            self._seen = operation.number
            if operation.kind in {OperationKind.BLOCK, OperationKind.UNBLOCK}:
                self.blocked = frozenset(map(read_network, self.administration.blocked()))
            else:
                self.tables.reread(operation.about)

    def sweep(self) -> None:
        """Removes what is past its time."""
        self._remove(self.administration.finished_before, self.config.keep_finished)
        self._remove(self.administration.abandoned_before, self.config.keep_abandoned)
        self._forget(self.config.keep_guests)

    def _days_ago(self, days: float) -> int:
        return self.tables.clock() - int(days * _DAY)

    def _remove(self, old: Callable[[int, int], list[str]], days: float) -> None:
        while days and (games := old(self._days_ago(days), _AT_ONCE)):
            self.administration.delete(games)
            for game in games:
                self.tables.reread(game)

    def _forget(self, days: float) -> None:
        while days and (holders := self.administration.away_since(self._days_ago(days), _AT_ONCE)):
            for holder in holders:
                self.people.forget(holder)
                self.tables.look_again(holder)
        if days:
            self.subscriptions.remove_before(self._days_ago(days))
