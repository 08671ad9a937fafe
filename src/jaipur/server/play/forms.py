"""The forms at the table: a move, a hint, and the actions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Header, Request
from starlette.responses import Response

from jaipur.coach.advice import Hint
from jaipur.language import _
from jaipur.language.words import choice_in_words
from jaipur.rules.errors import IllegalMove, JaipurError, NotationError
from jaipur.rules.move import Move
from jaipur.rules.view import View
from jaipur.server.coach.hints import question as question_of
from jaipur.server.edge.routes import Route
from jaipur.server.errors import status_of
from jaipur.server.lesson.lesson import lesson
from jaipur.server.play.selection import NO_CHOICE, Choice, read_selection
from jaipur.server.play.table_actions import ACTIONS, act, say
from jaipur.server.play.table_pages import Chosen, earlier_advice, show_table
from jaipur.server.play.viewer import Viewer, open_viewer
from jaipur.server.services import GuestDep, ServicesDep, clean_key
from jaipur.server.site.pages import Text, see_other
from jaipur.table import GameKind, GameOver, NotAllowed, Speed, Stale, Table
from jaipur.table.secrets import id_for
from jaipur.threads import in_thread

router = APIRouter(route_class=Route, prefix="/game/{game}", include_in_schema=False)

Letters = Annotated[list[str], Form(max_length=20)]
_REFUSALS = (Stale, GameOver, NotAllowed, IllegalMove, NotationError)
"""Errors that are shown at the table itself; any other gets a page of its own."""


@dataclass(frozen=True)
class TableForm:
    """A form that was sent from the table. The answer is a page, or a part of one."""

    request: Request
    viewer: Viewer
    key: str
    part: bool

    def run(
        self,
        act: Callable[[], Table],
        where: str = "",
        chosen: Chosen | None = None,
        follows: bool = False,
        advice: Hint | None = None,
    ) -> Response:
        """Acts. A page without scripts then jumps to `where`, or `follows` the players to their new table."""
        try:
            after = act()
        except _REFUSALS as error:
            now = self.viewer.now()
            if follows and now.table.rematch and not self.part:
                return see_other(f"/game/{now.table.rematch}")
            return self.refuse(error, chosen if isinstance(error, IllegalMove) else None, now)
        if self.part:
            return self.show(self.viewer.at(after), advice=advice)
        new = after.rematch if follows else None
        return see_other(f"/game/{new}" if new else f"/game/{self.viewer.game}{where}")

    def refuse(self, error: JaipurError, chosen: Chosen | None = None, now: Viewer | None = None) -> Response:
        """The table as it is now, with the reason for the refusal."""
        return self.show(now or self.viewer.now(), Choice(error.text(_)), status=status_of(error), chosen=chosen)

    def show(self, viewer: Viewer, choice: Choice = NO_CHOICE, **shown: Any) -> Response:
        """A table with words about a choice, or with a question: whether to play it, or whether to leave the round."""
        return show_table(self.request, viewer, self.part, choice, **shown)


async def _table_form(
    request: Request,
    services: ServicesDep,
    guest: GuestDep,
    game: str,
    key: Text = "",
    seat: Annotated[int | None, Form(ge=0, le=1)] = None,
    x_fragment: Annotated[str, Header()] = "",
) -> TableForm:
    viewer = await open_viewer(services, guest, game, seat)
    if viewer.table.held_by(guest.holder):
        services.bot_workers.thinking.remember(game, request.state.settings.seconds)
    return TableForm(request, viewer, key, bool(x_fragment))


TableFormDep = Annotated[TableForm, Depends(_table_form)]


@router.post("/move")
async def play(
    form: TableFormDep,
    ply: Annotated[int, Form()],
    take: Letters = [],  # noqa: B006 - never changed
    give: Letters = [],  # noqa: B006
    sure: Text = "",
) -> Response:
    """Plays the selection; an illegal one comes back with the reason, and nothing is lost."""
    viewer, chosen = form.viewer, {"take": take, "give": give}
    seat, tables = viewer.acting_seat, viewer.services.tables  # a guest who may not act is told that first
    try:
        move = read_selection(take, give)
    except NotationError as error:
        return await in_thread(form.refuse, error, chosen)
    question = None if sure else await _question(form, ply, move)
    if question is not None:
        choice, doubt = question
        advice = await earlier_advice(viewer)
        return await in_thread(form.show, viewer, choice, chosen=chosen, sure=True, doubt=doubt, advice=advice)
    return await in_thread(
        form.run, lambda: tables.move(viewer.table, seat, ply, move, clean_key(form.key)), chosen=chosen
    )


async def _question(form: TableForm, ply: int, move: Move) -> tuple[Choice, str] | None:
    """What is asked before a legal move, of players who want that: what it does, with any doubt of the tutor's."""
    table, settings = form.viewer.table, form.request.state.settings
    tutored = table.coached and (settings.tutor or table.kind is GameKind.GUIDED)
    view = form.viewer.view_to_move() if settings.confirm or tutored else None
    if view is None or view.why_illegal(move) is not None:
        return None
    doubt = await _doubt(form.viewer, view, move) if tutored and ply == table.ply else ""
    return (Choice(choice_in_words(view, move), legal=True), doubt) if doubt or settings.confirm else None


async def _doubt(viewer: Viewer, view: View, move: Move) -> str:
    """What the tutor asks before a blunder against a bot. It never questions what the lesson itself suggests."""
    if len(view.legal_moves()) == 1:
        return ""
    seen = viewer.look()
    taught = lesson(seen)
    if taught is not None and taught.take + taught.give and read_selection([*taught.take], [*taught.give]) == move:
        return ""
    doubt = await viewer.services.advisor.doubt(view, move)
    return "" if doubt is None else question_of(doubt, seen.sides[1 - view.seat].called)


@router.post("/hint")
async def hint(form: TableFormDep, ply: Annotated[int, Form()]) -> Response:
    """One more step of a hint: the kind of move, then the cards, then the numbers. The game is marked as hinted."""
    viewer = form.viewer
    view, advice = viewer.view_to_move(), None
    try:
        if view is not None and ply == viewer.table.ply and viewer.table.coached:
            advice = await viewer.services.advisor.hint(view)
    except NotAllowed as error:
        return await in_thread(form.refuse, error)
    return await in_thread(
        form.run,
        lambda: viewer.services.tables.hint(viewer.table, viewer.acting_seat, ply, clean_key(form.key)),
        "#hint",
        advice=advice,
    )


@router.post("/undo")
def undo(form: TableFormDep, sure: Text = "") -> Response:
    """Takes a move back, or asks the other player; if that leads into an earlier round, the page asks first."""
    seen = form.viewer.look()
    if seen.undo_round is not None and seen.undo_round < seen.round and not sure:
        return form.show(form.viewer, leaving_round=True)
    return form.run(partial(act, form.viewer, "undo", form.key))


@router.post("/rematch")
def rematch(form: TableFormDep) -> Response:
    """Starts a rematch or asks for one; if nobody has to agree, goes to the new table."""
    return form.run(partial(act, form.viewer, "rematch", form.key), follows=True)


@router.post("/emote")
def emote(form: TableFormDep, emote: Annotated[str, Form(max_length=20)] = "") -> Response:
    """Says something polite to the other player."""
    return form.run(partial(say, form.viewer, emote, form.key))


@router.post("/speed")
def speed(form: TableFormDep, speed: Annotated[Speed, Form()]) -> Response:
    """Tells two bots how fast to play. Nobody holds a seat there, so keys are kept apart by who sent them."""
    viewer, key = form.viewer, clean_key(form.key)
    own = id_for(viewer.guest.holder or "", key) if key else None
    return form.run(lambda: viewer.services.tables.set_speed(viewer.table, speed, own))


def _act(name: str, form: TableFormDep) -> Response:
    return form.run(partial(act, form.viewer, name, form.key))


for _name in ACTIONS.keys() - {"undo", "rematch"}:
    router.post(f"/{_name}", name=_name)(partial(_act, _name))
