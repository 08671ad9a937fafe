"""Where somebody looks at a game from, and the stream of what happens there: for pages and programs alike."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Header, Query, Request
from fastapi.sse import ServerSentEvent
from starlette.responses import HTMLResponse

from jaipur.core.errors import N_
from jaipur.core.view import View
from jaipur.i18n import _
from jaipur.server.choice import Choice, read_choice
from jaipur.server.house import Guest, House, TheGuest, TheHouse
from jaipur.server.render import table_context
from jaipur.store import Event
from jaipur.table import NotSeated, Seen, invite_token

WantedSeat = Annotated[int | None, Query(ge=0, le=1, description="Two at one screen say which seat looks.")]


class Chair:
    """Where somebody sits or stands to look at a game. Who may not look is not let in."""

    def __init__(self, house: House, guest: Guest, game: str, wanted: int | None = None) -> None:
        self.house = house
        self.guest = guest
        self.game = game
        if not house.tables.may_look(game, guest.holder):
            raise NotSeated(N_("This table is private: ask the players for an invitation."))
        self.seat = house.tables.seat_of(game, guest.holder, wanted)

    def look(self) -> Seen:
        """What is seen from here."""
        return self.house.tables.look(self.game, self.seat)

    def to_decide(self) -> View | None:
        """What this seat decides on, when it is its turn."""
        table = self.house.tables.open(self.game)
        return None if self.seat is None or self.seat != table.turn else table.view(self.seat)

    def choice(self, take: list[str], give: list[str]) -> Choice:
        """What a selection would do."""
        view = self.to_decide()
        return Choice(_("It is not your turn.")) if view is None else read_choice(view, take, give)

    def page(
        self,
        request: Request,
        template: str,
        choice: Choice | None = None,
        chosen: tuple[list[str], list[str]] = ([], []),
        status: int = 200,
        sure: bool = False,
    ) -> HTMLResponse:
        """The table, with what is said about a choice."""
        said = "" if choice is None else choice.text
        context = table_context(self.look(), said, choice is not None and not choice.legal, sure)
        context["chosen"] = {"take": chosen[0], "give": chosen[1]}
        context["invite_url"] = self.invite_url(request)
        return self.house.pages.page(request, template, context, status)

    def invite_url(self, request: Request) -> str:
        """The link for a friend, for the host of a game that still has a free seat."""
        table = self.house.tables.open(self.game)
        if table.full or not table.held_by(self.guest.holder):
            return ""
        return str(request.url_for("invitation", token=invite_token(self.guest.token, self.game)))


def _chair(house: TheHouse, guest: TheGuest, game: str, seat: WantedSeat = None) -> Chair:
    return Chair(house, guest, game, seat)


TheChair = Annotated[Chair, Depends(_chair)]


async def events(
    chair: TheChair,
    last_event_id: Annotated[int, Header(ge=0, lt=2**31)] = 0,
    after: Annotated[int, Query(ge=0, lt=2**31)] = 0,
) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events: what happens at the table, from after the last one that you saw."""
    async for event in chair.house.hub.listen(chair.game, max(last_event_id, after)):
        yield ServerSentEvent(id=str(event.number), data=_told(event))


def _told(event: Event) -> dict[str, object]:
    """What is told of an event: nothing that a spectator may not know."""
    return {"number": event.number, "kind": event.kind, "seat": event.seat, "text": event.text}
