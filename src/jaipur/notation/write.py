"""Writes positions."""

from jaipur.core.bag import count, letters, size, tally
from jaipur.core.box import BONUS_PILES, GOODS, LETTERS
from jaipur.core.deck import bonus_kinds
from jaipur.core.round import DECK_EMPTY, STOPPED, TOKENS_GONE, Round
from jaipur.core.trader import Trader, bonus_value, bonus_values
from jaipur.core.view import Rival, View

ENDINGS = {TOKENS_GONE: "tokens", DECK_EMPTY: "deck", STOPPED: "stopped"}


def round_text(table: Round) -> str:
    """The whole position, open to everybody: for records of tests and finished rounds, never for a player."""
    over = f" / over {ENDINGS[table.ended_by]}" if table.over else ""
    piles = [_values(bonus_kinds(table.bonus_piles, pile)) for pile in range(BONUS_PILES)]
    return _table_text(
        f"turn {table.turn} / starter {table.starter} / quiet {table.quiet}{over}",
        table.market,
        "".join(LETTERS[kind] for kind in table.deck.kinds()),
        table.discard,
        piles,
        [_trader_text(table.first), _trader_text(table.second)],
    )


def view_text(view: View) -> str:
    """The position as one seat sees it."""
    over = " / over" if view.over else ""
    seats = [_trader_text(view.me), _rival_text(view.rival)]
    return _table_text(
        f"view {view.seat} / turn {view.turn} / starter {view.starter} / quiet {view.quiet}{over}",
        view.market,
        "?" * view.deck_size,
        view.discard,
        ["?" * count(view.bonus_left, pile) for pile in range(BONUS_PILES)],
        seats if view.seat == 0 else seats[::-1],
    )


def _table_text(head: str, market: int, deck: str, discard: int, piles: list[str], seats: list[str]) -> str:
    sold = "".join(LETTERS[good] * tally(discard, good) for good in range(GOODS))
    return "\n".join(
        [
            head,
            f"market {letters(market)} / deck {deck or '-'} / discard {sold or '-'}",
            " / ".join(f"bonus{pile + 3} {tokens or '-'}" for pile, tokens in enumerate(piles)),
            f"seat0 {seats[0]}",
            f"seat1 {seats[1]}",
        ]
    )


def _values(kinds: list[int]) -> str:
    return " ".join(str(bonus_value(kind)) for kind in kinds)


def _trader_text(trader: Trader) -> str:
    known = f" known {letters(trader.known)}" if trader.known else ""
    owned = " ".join(map(str, bonus_values(trader.bonus)))
    bonus = f" bonus {owned}" if owned else ""
    return (
        f"hand {letters(trader.hand) or '-'}{known} herd {trader.herd}"
        f" rupees {trader.goods_rupees} tokens {trader.goods_tokens}{bonus}"
    )


def _rival_text(rival: Rival) -> str:
    hand = letters(rival.known) + "?" * (rival.hand_size - size(rival.known))
    taken = [f"{pile + 3}?" for pile in range(BONUS_PILES) for _ in range(count(rival.bonus_taken, pile))]
    bonus = f" bonus {' '.join(taken)}" if taken else ""
    return f"hand {hand or '-'} herd {rival.herd} rupees {rival.goods_rupees} tokens {rival.goods_tokens}{bonus}"
