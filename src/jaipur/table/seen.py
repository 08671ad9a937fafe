"""What an onlooker receives of a table. Nothing else leaves the room, and nothing here can hold a secret.

A seat's picture is made from its `View`; a spectator's from what each player may know of the other. When the match
is over, everything is open.
"""

from dataclasses import dataclass

from jaipur.core.bag import count, letters, tally
from jaipur.core.box import BONUS_PILES, GOODS, LETTERS
from jaipur.core.round import DECK_EMPTY, STOPPED, TOKENS_GONE, Round
from jaipur.core.trader import Trader, bonus_values, pile_counts
from jaipur.core.view import Rival, View
from jaipur.table.table import GameKind, Logged, Table
from jaipur.words import tokens_left

_ENDS = {TOKENS_GONE: "tokens", DECK_EMPTY: "deck", STOPPED: "stopped"}


@dataclass(frozen=True)
class Side:
    """One player's side of the table, as far as the onlooker may see it."""

    name: str
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


@dataclass(frozen=True)
class SheetSide:
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

    sides: tuple[SheetSide, SheetSide]
    winner: int | None
    decided_by: str
    ended_by: str


@dataclass(frozen=True)
class Asked:
    """What a seat asks of the other: `undo` or `rematch`."""

    seat: int
    what: str


@dataclass(frozen=True)
class Seen:
    """A table as one onlooker sees it: a seat, or a spectator (seat is null).

    `number` counts the events of the game, `ply` the changes of the position: a move is submitted for a ply.
    `market` has five places; a card stays on its place until it is taken. Letters are those of the notation.
    """

    game: str
    kind: GameKind
    status: str
    seat: int | None
    number: int
    ply: int
    round: int
    turn: int | None
    starter: int
    market: list[str | None]
    deck: int
    discard: list[int]
    tokens: list[list[int]]
    bonus_left: list[int]
    sides: tuple[Side, Side]
    legal: list[str]
    log: list[Logged]
    sheets: list[Sheet]
    ready: list[int]
    asked: Asked | None
    can_undo: bool
    winner: int | None
    resigned: int | None
    rematch: str | None
    commitment: str
    seed: str | None


def see(table: Table, seat: int | None, uncovered: bool = False) -> Seen:
    """The picture for a seat, or for a spectator; `uncovered` is for a moment of a match that is over."""
    now = table.match.round
    if table.over or uncovered:
        return _picture(table, seat, now.view(0), (_open(table, 0, now.first), _open(table, 1, now.second)))
    if seat is None:
        # Each view tells of the rival only what everybody at the table has seen.
        views = now.view(0), now.view(1)
        return _picture(table, None, views[0], (_closed(table, 0, views[1].rival), _closed(table, 1, views[0].rival)))
    view = now.view(seat)
    mine, other = _open(table, seat, view.me), _closed(table, 1 - seat, view.rival)
    return _picture(table, seat, view, (mine, other) if seat == 0 else (other, mine))


def _picture(table: Table, seat: int | None, view: View, sides: tuple[Side, Side]) -> Seen:
    return Seen(
        game=table.game.id,
        kind=table.kind,
        status=_status(table),
        seat=seat,
        number=table.number,
        ply=table.ply,
        round=len(table.match.rounds),
        turn=table.turn,
        starter=view.starter,
        market=[None if kind is None else LETTERS[kind] for kind in table.places],
        deck=view.deck_size,
        discard=[tally(view.discard, good) for good in range(GOODS)],
        tokens=[list(tokens_left(view, good)) for good in range(GOODS)],
        bonus_left=[count(view.bonus_left, pile) for pile in range(BONUS_PILES)],
        sides=sides,
        legal=[str(move) for move in view.legal_moves()] if seat is not None and table.turn == seat else [],
        log=[played.logged for played in table.log],
        sheets=[_sheet(played) for played in table.match.rounds if played.over],
        ready=sorted(table.ready),
        asked=None if table.offer is None else Asked(table.offer.seat, table.offer.what),
        can_undo=seat is not None and _can_undo(table, seat),
        winner=table.winner,
        resigned=table.resigned,
        rematch=table.rematch,
        commitment=table.match.commitment,
        seed=table.match.seed.hex() if table.over else None,
    )


def _status(table: Table) -> str:
    if table.over:
        return "over"
    if not table.full:
        return "waiting"
    return "sheet" if table.between_rounds else "playing"


def _can_undo(table: Table, seat: int) -> bool:
    if table.undo_to is None or table.offer is not None:
        return False
    return table.alone or table.log[-1].seat == seat


def _name(table: Table, seat: int) -> str:
    row = table.seats[seat]
    return "" if row is None else row.name


def _open(table: Table, seat: int, me: Trader) -> Side:
    return Side(
        name=_name(table, seat),
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
    )


def _closed(table: Table, seat: int, rival: Rival) -> Side:
    return Side(
        name=_name(table, seat),
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
    )


def _piles(bag: int) -> list[int]:
    return [count(bag, pile) for pile in range(BONUS_PILES)]


def _sheet(played: Round) -> Sheet:
    score = played.score()
    columns = [
        SheetSide(
            goods=tallied.goods,
            bonus=bonus_values(trader.bonus),
            camel=tallied.camel,
            rupees=tallied.rupees,
            herd=trader.herd,
            bonus_tokens=tallied.bonus_tokens,
            goods_tokens=tallied.goods_tokens,
        )
        for tallied, trader in zip(score.tallies, (played.first, played.second), strict=True)
    ]
    return Sheet((columns[0], columns[1]), score.winner, score.decided_by, _ENDS[played.ended_by])
