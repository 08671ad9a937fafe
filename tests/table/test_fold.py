"""A game read in one go equals the game played step by step, and costs no more than its events."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaipur import Match, Rng
from jaipur.store import Event, GameRow, SeatRow
from jaipur.table import GameKind, Table
from jaipur.table.events import EventKind
from tests.support.digest import pick
from tests.support.effort import often
from tests.support.server import everything

SEATS = {
    GameKind.BOT: (SeatRow("g", 0, "Ann", None, "ann"), SeatRow("g", 1, "", "trader", None)),
    GameKind.ONE_SCREEN: (SeatRow("g", 0, "Ann", None, "ann"), SeatRow("g", 1, "Bob", None, "ann")),
    GameKind.FRIEND: (SeatRow("g", 0, "Ann", None, "ann"), SeatRow("g", 1, "Bob", None, "bob")),
}


class Story:
    """A game played step by step."""

    def __init__(self, kind: GameKind, seed: int, pace: str) -> None:
        self.game = GameRow("g", kind, f"{seed:064x}", False, 0, pace)
        self.table = Table(self.game, SEATS[kind])
        self.events: list[Event] = []

    def add(self, seat: int, kind: EventKind, text: str = "") -> None:
        number = len(self.events) + 1
        self.events.append(Event("g", number, seat, kind, text, None, 1000 * number))
        self.table = self.table.after(self.events[-1])

    def move(self, choice: int) -> None:
        if self.table.turn is not None:
            moves = self.table.match.round.legal_moves()
            if choice % 3:  # taking prolongs the round, selling ends it
                moves = [move for move in moves if not move.take] or moves
            self.add(self.table.turn, EventKind.MOVE, str(pick(moves, choice)))

    def undo(self, _choice: int) -> None:
        if self.table.undo_to is not None:
            self.add(0, EventKind.UNDO, str(self.table.undo_to))

    def redo(self, _choice: int) -> None:
        if self.table.undone and self.table.needs_no_consent and not self.table.over:
            self.add(0, EventKind.REDO)

    def ready(self, _choice: int) -> None:
        for seat in self.table.must_act if self.table.turn is None and not self.table.over else ():
            if self.table.match.round.over:
                self.add(seat, EventKind.READY)


STEPS: dict[str, Callable[[Story, int], None]] = {
    "move": Story.move,
    "undo": Story.undo,
    "redo": Story.redo,
    "ready": Story.ready,
}
NAMES = ["move"] * 6 + ["undo", "undo", "redo", "ready"]


def all_of(table: Table) -> tuple[object, ...]:
    return (
        *everything(table),
        table.clock,
        table.ply,
        table.number,
        table.acted,
        vars(table).keys(),
    )


@settings(max_examples=often(20, 60), deadline=None)
@given(
    st.sampled_from([(GameKind.BOT, ""), (GameKind.ONE_SCREEN, ""), (GameKind.FRIEND, "5+5"), (GameKind.FRIEND, "1d")]),
    st.integers(0, 1 << 30),
    st.integers(0, 300),
)
def test_a_game_read_at_once_is_the_game_played_step_by_step(kind: tuple[GameKind, str], seed: int, steps: int) -> None:
    story, rng = Story(kind[0], seed, kind[1]), Rng(seed)
    for _ in range(steps):
        STEPS[NAMES[rng.below(len(NAMES))]](story, rng.below(1 << 20))
    read = Table(story.game, SEATS[kind[0]], story.events)
    assert all_of(read) == all_of(story.table)
    story.undo(0)
    story.redo(0)
    for event in story.events[read.number :]:
        read = read.after(event)
    assert all_of(read) == all_of(story.table)


def test_an_undo_costs_a_reader_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each undo used to replay the whole match: a game of 2,000 moves and 2,000 undos took ten seconds to read."""
    story = Story(GameKind.ONE_SCREEN, 0, "")
    for choice in range(60):
        story.move(3 * choice)
    for choice in range(30):
        story.undo(0)
        story.undo(0)
        story.redo(0)
        story.move(3 * choice)
    monkeypatch.setattr(Match, "until", lambda _match, _ply: 1 / 0)
    assert len(Table(story.game, SEATS[GameKind.ONE_SCREEN], story.events).log) == len(story.table.log)
