"""What an onlooker gets to see of a table. Nothing else leaves this package, and nothing here can hold a secret.

What a seat sees is made from its `View`; what a spectator sees, from what each player may know of the other. When the
match is over, everything is open. Until both players have sat down, nobody can see anything of the deal.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from jaipur.match import Deal
from jaipur.record import Record
from jaipur.rules.bag import count, letters
from jaipur.rules.bonus import bonus_values, pile_counts
from jaipur.rules.box import BONUS_PILES, GOODS, LETTERS, MARKET_SIZE
from jaipur.rules.discard import discarded, tokens_left
from jaipur.rules.errors import N_
from jaipur.rules.round import Round
from jaipur.rules.score import Decision, Ending
from jaipur.rules.side import Rival, Side
from jaipur.rules.view import View
from jaipur.table.clock import Clock
from jaipur.table.entries import Logged, Offer
from jaipur.table.enums import GameKind, Speed, Status
from jaipur.table.errors import NoSuchGame, NotAllowed
from jaipur.table.past.history import record_of
from jaipur.table.seen.market_slots import Slots
from jaipur.table.seen.names import label_of, name_in_sentence
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
    now = table.match.round
    if table.over or uncovered or (open_hands and not table.persons):
        return _picture(table, seat, now.view(0), (_open(table, 0, now.first), _open(table, 1, now.second)))
    if table.status is Status.WAITING:
        return _undealt(
            _picture(table, seat, now.view(0), (_closed(table, 0, _NO_CARDS), _closed(table, 1, _NO_CARDS)))
        )
    if seat is None:
        # Each view says no more about the rival than everybody at the table has seen.
        views = now.view(0), now.view(1)
        return _picture(table, None, views[0], (_closed(table, 0, views[1].rival), _closed(table, 1, views[0].rival)))
    view = now.view(seat)
    mine, other = _open(table, seat, view.me), _closed(table, 1 - seat, view.rival)
    return _picture(table, seat, view, (mine, other) if seat == 0 else (other, mine))


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
    return record_of(table)


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
        market=_letters(table.market_slots),
        left=_letters(table.left_slots),
        deck=view.deck_size,
        discard=_discard(view.discard),
        tokens=_tokens(view.discard),
        bonus_left=[count(view.bonus_left, pile) for pile in range(BONUS_PILES)],
        sides=sides,
        legal=[_notation(move) for move in view.legal_moves()] if seat is not None and table.turn == seat else [],
        log=[played.logged for played in table.log],
        sheets=[_sheet(played) for played in table.match.rounds if played.over],
        ready=sorted(table.ready),
        asked=table.offer,
        can_undo=seat is not None and undo_to is not None and _can_undo(table, seat),
        can_redo=seat is not None and bool(table.undone) and table.needs_no_consent and not table.over,
        undo_round=None if undo_to is None else table.log[undo_to].round,
        winner=table.winner,
        resigned=table.resigned,
        rematch=table.rematch,
        speed=table.speed,
        commitment=table.match.commitment,
        seed=table.match.seed.hex() if table.over else None,
        pace=table.game.pace,
        clock=table.clock,
        timed_out=table.timed_out,
        hints=table.hints,
    )


@lru_cache(_MOVES_KEPT)
def _discard(bag: int) -> list[int]:
    return [discarded(bag, good) for good in range(GOODS)]


@lru_cache(_MOVES_KEPT)
def _tokens(bag: int) -> list[list[int]]:
    """The tokens left of each good, which are worked out for every look at the same few discards."""
    return [list(tokens_left(bag, good)) for good in range(GOODS)]


def _undealt(seen: Seen) -> Seen:
    """A host who saw the deal could abandon games with a bad one, so nobody sees it before the friend has joined."""
    return replace(seen, starter=None, market=[None] * MARKET_SIZE, left=[None] * MARKET_SIZE)


def _letters(slots: Slots) -> list[str | None]:
    return [None if kind is None else LETTERS[kind] for kind in slots]


def _can_undo(table: Table, seat: int) -> bool:
    return table.offer is None and (table.needs_no_consent or table.log[-1].seat == seat)


def _names(table: Table, seat: int) -> tuple[str, str]:
    """A player's name on its own and inside a sentence; both empty for a free seat."""
    row = table.seats[seat]
    if row is None:
        return "", ""
    about = (table.kind, seat, row.name, row.level)
    return label_of(*about), name_in_sentence(*about)


def _avatar(table: Table, seat: int) -> str:
    row = table.seats[seat]
    return "" if row is None else row.avatar


def _open(table: Table, seat: int, me: Side) -> SeenSide:
    name, called = _names(table, seat)
    return SeenSide(
        name=name,
        called=called,
        level=table.level(seat),
        hand=letters(me.hand),
        hand_size=len(letters(me.hand)),
        known=letters(me.known),
        herd=me.herd,
        goods_rupees=me.goods_rupees,
        goods_tokens=me.goods_tokens,
        bonus=bonus_values(me.bonus),
        bonus_taken=_piles(pile_counts(me.bonus)),
        seals=table.match.seals[seat],
        avatar=_avatar(table, seat),
    )


def _closed(table: Table, seat: int, rival: Rival) -> SeenSide:
    name, called = _names(table, seat)
    return SeenSide(
        name=name,
        called=called,
        level=table.level(seat),
        hand=None,
        hand_size=rival.hand_size,
        known=letters(rival.known),
        herd=rival.herd,
        goods_rupees=rival.goods_rupees,
        goods_tokens=rival.goods_tokens,
        bonus=None,
        bonus_taken=_piles(rival.bonus_taken),
        seals=table.match.seals[seat],
        avatar=_avatar(table, seat),
    )


def _piles(bag: int) -> list[int]:
    return [count(bag, pile) for pile in range(BONUS_PILES)]


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
