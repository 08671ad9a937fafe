"""A guest at a table: which table, which seat they look from, and which seat they act for. For pages and programs."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends, Header, Query
from starlette.requests import Request
from starlette.responses import Response

from jaipur.rules.errors import N_
from jaipur.rules.view import View
from jaipur.server.edge.client_address import asking
from jaipur.server.errors import TooManyStreams
from jaipur.server.live.stream import EventStream, line_of
from jaipur.server.services import Guest, Services, ServicesDep
from jaipur.store import StoreError
from jaipur.table import NotSeated, Seen, Table, see

ChosenSeat = Annotated[int | None, Query(ge=0, le=1, description="Two at one screen say which seat looks.")]


@dataclass(frozen=True)
class Viewer:
    """A guest at a table as it was when they looked. Two players at one screen choose a seat."""

    services: Services
    guest: Guest
    table: Table
    chosen_seat: int | None = None

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.table.game.id

    @property
    def seat(self) -> int | None:
        """The seat that they look from; None for a spectator."""
        return self.table.looking_seat(self.guest.holder, self.chosen_seat)

    @property
    def acting_seat(self) -> int:
        """The seat that they act for."""
        return self.table.acting_seat(self.guest.holder, self.chosen_seat)

    def look(self, open_hands: bool = False) -> Seen:
        """What is seen from here; hands can be opened only where bots play each other."""
        return see(self.table, self.seat, open_hands=open_hands)

    def view_to_move(self) -> View | None:
        """The view to decide on, if it is this seat's turn; otherwise None."""
        return None if self.seat is None or self.seat != self.table.turn else self.table.view(self.seat)

    def at(self, table: Table) -> "Viewer":
        """The same guest at the table after something happened."""
        return replace(self, table=table, chosen_seat=None)

    def now(self) -> "Viewer":
        """The same guest at the table as it is now."""
        return replace(self, table=self.services.tables.open(self.game))


async def open_viewer(services: Services, guest: Guest, game: str, seat: int | None) -> Viewer:
    """Opens a table for a guest; raises `NotSeated` if they may not look at it."""
    table = await services.open(game)
    if not table.open_to(guest.holder):
        raise NotSeated(N_("This table is private: ask the players for an invitation."))
    if not table.persons and not table.over:
        services.hub.looked(game)
    return Viewer(services, guest, table, seat)


async def _viewer(request: Request, game: str, seat: ChosenSeat = None) -> Viewer:
    """Needed by nearly every request, so its parts are fetched directly and not resolved as dependencies."""
    return await open_viewer(request.state.services, Guest(request.state.secret), game, seat)


async def _mover(request: Request, game: str, seat: ChosenSeat = None) -> Viewer:
    """A guest who only plays a move. That needs no look at the database: the write shows whether the table is stale.

    But the seat must be certain. A guest who has none at the table in memory may just have sat down, and two at one
    screen act for the seat whose turn it is now; for these the table is opened.
    """
    services: Services = request.state.services
    guest = Guest(request.state.secret)
    kept = services.tables.kept(game)
    if kept is not None and len(kept.held_by(guest.holder)) == 1:
        return Viewer(services, guest, kept, seat)
    return await open_viewer(services, guest, game, seat)


ViewerDep = Annotated[Viewer, Depends(_viewer)]
MoverDep = Annotated[Viewer, Depends(_mover)]


async def _stream(services: ServicesDep) -> AsyncIterator[None]:
    """Counts a stream for as long as it is open; raises `TooManyStreams` if there are too many."""
    group, config = asking.get(), services.config
    most = config.streams_per_address if config.requests_per_second else config.streams
    if services.listening[group] >= most or services.listening.total() >= config.streams:
        raise TooManyStreams
    services.listening[group] += 1
    try:
        yield
    finally:
        services.listening[group] -= 1
        if not services.listening[group]:
            del services.listening[group]


async def events(
    viewer: ViewerDep,
    _stream: Annotated[None, Depends(_stream)],
    last_event_id: Annotated[int, Header(ge=0, lt=2**31)] = 0,
    after: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> Response:
    """Server-sent events: what happens at the table, from after the last one that you saw.

    Events named `presence` (here, away) and `emote` come between them; they have no number and are not repeated.
    """
    return EventStream(_lines(viewer, max(last_event_id, after)))


async def _lines(viewer: Viewer, after: int) -> AsyncGenerator[bytes]:
    """If an event cannot be read, the stream ends; the client asks again, and gets what it missed."""
    with suppress(StoreError), viewer.services.presence.present(viewer.table, viewer.seat):
        async with aclosing(viewer.services.hub.listen(viewer.game, after)) as events:
            async for event in events:
                yield line_of(event)
