"""What an onlooker gets to see of a table. Nothing else leaves this package, and nothing here can hold a secret.

What a seat sees is made from its `View`; what a spectator sees, from what each player may know of the other. When the
match is over, everything is open. Until both players have sat down, nobody can see anything of the deal.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from jaipur.match import Deal
from jaipur.record import Loss, Record, bot_name
from jaipur.rules.bag import count, letters
from jaipur.rules.bonus import bonus_values
from jaipur.rules.box import BONUS_PILES, GOODS, LETTERS, MARKET_SIZE
from jaipur.rules.discard import discarded, tokens_left
from jaipur.rules.errors import N_
from jaipur.rules.round import Round
from jaipur.rules.score import Decision, Ending
from jaipur.rules.side import Rival, Side
from jaipur.rules.view import View
from jaipur.table.clock import Clock
from jaipur.table.errors import NoSuchGame, NotAllowed
from jaipur.table.events import GameKind, Logged, Offer, Speed, Status
from jaipur.table.market_slots import Slots
from jaipur.table.seen.labels import label_of, name_in_sentence
from jaipur.table.table import Table

_MOVES_KEPT = 10_000


@dataclass(frozen=True)
class SeenSide:
    """One player's side of the table, as far as the onlooker may see it. `called` is the name inside a sentence.

    `avatar` is the picture that a person has chosen, or nothing.
    """

    name: str
    called: str
    level: str | None
    hand: str | None
    hand_size: int
    known: str
    herd: int
    goods_rupees: int
    goods_tokens: int
    bonus: list[int] | None
    bonus_taken: list[int]
    seals: int
    avatar: str


@dataclass(frozen=True)
class SheetColumn:
    """One player's column of the score sheet."""

    goods: int
    bonus: list[int]
    camel: int
    rupees: int
    herd: int
    bonus_tokens: int
    goods_tokens: int


@dataclass(frozen=True)
class Sheet:
    """The score sheet of a finished round (R23, R24)."""

    sides: tuple[SheetColumn, SheetColumn]
    winner: int | None
    decided_by: Decision
    ended_by: Ending


@dataclass(frozen=True)
class Seen:
    """A table as one onlooker sees it: a seat, or a spectator (seat is null).

    `number` counts the events of the game, `ply` the changes of the position: a move is submitted for a ply.
    `market` has five places; a card stays on its place until it is taken. `left` has the cards that the last move of
    this round took from their places. Letters are those of the notation. While the table waits for a friend, nothing of
    the deal is told, not even who starts. `pace` is how long players may think; `clock` has the milliseconds that were
    left at the moment `since`, and the seats whose time runs. `hints` counts the positions in which each seat asked
    for a hint.
    """

    game: str
    kind: GameKind
    status: Status
    seat: int | None
    number: int
    ply: int
    round: int
    turn: int | None
    starter: int | None
    market: list[str | None]
    left: list[str | None]
    deck: int
    discard: list[int]
    tokens: list[list[int]]
    bonus_left: list[int]
    sides: tuple[SeenSide, SeenSide]
    legal: list[str]
    log: list[Logged]
    sheets: list[Sheet]
    ready: list[int]
    asked: Offer | None
    can_undo: bool
    can_redo: bool
    undo_round: int | None
    winner: int | None
    resigned: int | None
    rematch: str | None
    speed: Speed
    commitment: str
    seed: str | None
    pace: str
    clock: Clock | None
    timed_out: int | None
    hints: tuple[int, int]


_notation = lru_cache(_MOVES_KEPT)(str)
"""The text of a move. A seat may have a hundred legal moves, and most of them come again and again."""
_NO_CARDS = Rival(hand_size=0, known=0, herd=0, goods_rupees=0, goods_tokens=0, bonus_taken=0)


def see(table: Table, seat: int | None, uncovered: bool = False, open_hands: bool = False) -> Seen:
    """What a seat or a spectator sees. `uncovered` opens everything: for a moment in a match that is over.

    `open_hands` is for watching bots: where no person plays, it gives nobody an advantage.
    """
    views = table.match.round.view(0), table.match.round.view(1)
    opened = table.over or uncovered or (open_hands and not table.persons)
    if table.status is Status.WAITING and not opened:
        # A host who saw the deal could abandon games with a bad one, so nobody sees it before the friend has joined.
        blank = _picture(table, seat, views[0], (_side(table, 0, _NO_CARDS), _side(table, 1, _NO_CARDS)))
        return replace(blank, starter=None, market=[None] * MARKET_SIZE, left=[None] * MARKET_SIZE)
    # Each view says no more about the rival than everybody at the table has seen.
    first, second = (
        _side(table, owner, views[1 - owner].rival, views[owner].me if opened or owner == seat else None)
        for owner in (0, 1)
    )
    return _picture(table, seat, views[seat or 0], (first, second))


def see_replay(table: Table, seat: int | None, ply: int, open_hands: bool = False) -> Seen:
    """What is seen after this many moves, uncovered if the match is over."""
    if not 0 <= ply <= len(table.log):
        raise NoSuchGame(N_("This game has no such move: go back to its replay."))
    return see(table.replayed(ply), seat, table.over, open_hands)


def see_decision(table: Table, ply: int) -> tuple[Seen, View]:
    """What the mover saw before a move in a finished match, and no more."""
    if not table.over:
        raise NotAllowed(N_("Exercises are made of matches that are over."))
    if not 1 <= ply <= len(table.log):
        raise NoSuchGame(N_("This game has no such move: go back to its review."))
    past, seat = table.before(ply), table.log[ply - 1].seat
    return see(past, seat), past.view(seat)


def see_deals(table: Table) -> list[Deal]:
    """How the seed dealt each round of a finished game."""
    if not table.over:
        raise NotAllowed(N_("The seed is secret until the match is over."))
    return table.match.deals()


def see_record(table: Table) -> Record:
    """The record of a finished game, not before its end because it holds the seed."""
    if not table.over:
        raise NotAllowed(N_("The record holds the seed, so it is given out when the match is over."))
    first, second = (
        "" if row is None else row.name if row.level is None else bot_name(row.level) for row in table.seats
    )
    return Record(table.match, (first, second), hints=table.hints, ended=table.ended)


def _picture(table: Table, seat: int | None, view: View, sides: tuple[SeenSide, SeenSide]) -> Seen:
    undo_to = table.undo_to
    return Seen(
        game=table.game.id,
        kind=table.kind,
        status=table.status,
        seat=seat,
        number=table.number,
        ply=table.ply,
        round=len(table.match.rounds),
        turn=table.turn,
        starter=view.starter,
        market=_letters(table.slots.now),
        left=_letters(table.slots.left),
        deck=view.deck_size,
        discard=_discard(view.discard),
        tokens=_tokens(view.discard),
        bonus_left=[count(view.bonus_left, pile) for pile in range(BONUS_PILES)],
        sides=sides,
        legal=[_notation(move) for move in view.legal_moves()] if seat is not None and table.turn == seat else [],
        log=table.log,
        sheets=[_sheet(played) for played in table.match.rounds if played.over],
        ready=sorted(table.ready),
        asked=table.offer,
        can_undo=seat is not None and undo_to is not None and table.offer is None and table.may_undo(seat),
        can_redo=seat is not None and table.may_redo(seat),
        undo_round=None if undo_to is None else table.log[undo_to].round,
        winner=table.winner,
        resigned=_lost(table, Loss.RESIGNED),
        rematch=table.rematch,
        speed=table.speed,
        commitment=table.match.commitment,
        seed=table.match.seed.hex() if table.over else None,
        pace=table.game.pace,
        clock=table.clock,
        timed_out=_lost(table, Loss.TIME),
        hints=table.hints,
    )


@lru_cache(_MOVES_KEPT)
def _discard(bag: int) -> list[int]:
    return [discarded(bag, good) for good in range(GOODS)]


@lru_cache(_MOVES_KEPT)
def _tokens(bag: int) -> list[list[int]]:
    """The tokens left of each good, which are worked out for every look at the same few discards."""
    return [list(tokens_left(bag, good)) for good in range(GOODS)]


def _letters(slots: Slots) -> list[str | None]:
    return [None if kind is None else LETTERS[kind] for kind in slots]


def _lost(table: Table, how: Loss) -> int | None:
    """The seat that has lost the match in this way."""
    return table.ended.seat if table.ended is not None and table.ended.by is how else None


def _side(table: Table, seat: int, public: Rival, own: Side | None = None) -> SeenSide:
    """A side as everybody knows it, and its hand and bonus tokens if the onlooker may see what is its `own`."""
    row = table.seats[seat]
    about = None if row is None else (table.kind, seat, row.name, row.level)
    return SeenSide(
        name="" if about is None else label_of(*about),
        called="" if about is None else name_in_sentence(*about),
        level=table.level(seat),
        hand=None if own is None else letters(own.hand),
        hand_size=public.hand_size,
        known=letters(public.known),
        herd=public.herd,
        goods_rupees=public.goods_rupees,
        goods_tokens=public.goods_tokens,
        bonus=None if own is None else bonus_values(own.bonus),
        bonus_taken=[count(public.bonus_taken, pile) for pile in range(BONUS_PILES)],
        seals=table.match.seals[seat],
        avatar="" if row is None else row.avatar,
    )


def _sheet(played: Round) -> Sheet:
    assert played.ending is not None
    score = played.score()
    columns = [
        SheetColumn(
            goods=tallied.goods,
            bonus=bonus_values(side.bonus),
            camel=tallied.camel,
            rupees=tallied.rupees,
            herd=side.herd,
            bonus_tokens=tallied.bonus_tokens,
            goods_tokens=tallied.goods_tokens,
        )
        for tallied, side in zip(score.tallies, (played.first, played.second), strict=True)
    ]
    return Sheet((columns[0], columns[1]), score.winner, score.decided_by, played.ending)
