"""One round: deal, play, score (R5 to R24). It knows everything; players are given a `View` of it."""

from typing import Final, NamedTuple, final

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.core.bag import BAG_BITS, BAG_MASK, CAMEL_SHIFT, GOODS_MASK, ONE_CAMEL, add_tally, one, size, tally
from jaipur.core.box import (
    BONUS_PILES,
    CAMEL_TOKEN,
    CAMELS_LAID_OUT,
    DEALT,
    GOODS,
    PILE_SIZE,
    PILES_TO_END,
    QUIET_LIMIT,
    SMALLEST_BONUS_SALE,
    worth,
)
from jaipur.core.deck import SHUFFLED, Deck, bonus_left, pack_bonus, shuffled_bonus, top_bonus, without_top_bonus
from jaipur.core.errors import N_, IllegalMove, JaipurError
from jaipur.core.legal import legal_codes
from jaipur.core.move import Move, from_code
from jaipur.core.reasons import why_illegal
from jaipur.core.rng import Rng, shuffle
from jaipur.core.trader import Trader, pile_counts
from jaipur.core.view import Rival, View

PLAYING: Final = 0
TOKENS_GONE: Final = 1
DECK_EMPTY: Final = 2
STOPPED: Final = 3
"""What ended a round: three kinds of tokens gone, no card to refill the market (R22), or a program (R25)."""


class Tally(NamedTuple):
    """One player's line of the score sheet."""

    goods: int
    bonus: int
    camel: int
    bonus_tokens: int
    goods_tokens: int

    @property
    def rupees(self) -> int:
        """Everything together."""
        return self.goods + self.bonus + self.camel


class Score(NamedTuple):
    """The score sheet: one tally for each seat, who gets the seal (None when nobody does), and what decided (R24)."""

    tallies: tuple[Tally, Tally]
    winner: int | None
    decided_by: str


@final
class Round:
    """A round in progress. Seats are 0 and 1; `turn` is the seat that moves next."""

    def __init__(self, first: Trader, second: Trader, market: i64, deck: Deck, bonus_piles: i64, starter: i64) -> None:
        self.first = first
        self.second = second
        self.market = market
        self.deck = deck
        self.bonus_piles = bonus_piles
        self.starter = starter
        self.turn = starter
        self.discard: i64 = 0
        self.quiet: i64 = 0
        self.ended_by: i64 = PLAYING
        self.moves: list[Move] = []

    @staticmethod
    def deal(rng: Rng, starter: i64 = 0) -> "Round":
        """A new round (R5, R6): five cards to seat 0, five to seat 1, two to the market, then the bonus piles."""
        cards = vec[i64](SHUFFLED)
        shuffle(cards, 0, rng)
        piles: i64 = 0
        for pile in range(i64(BONUS_PILES)):
            piles |= pack_bonus(pile, shuffled_bonus(pile, 0, rng), 0)
        return Round.lay_out(cards, piles, starter)

    @staticmethod
    def lay_out(cards: vec[i64], bonus_piles: i64, starter: i64) -> "Round":
        """A new round from the 52 cards in the order in which they leave the deck (R5, R6)."""
        dealt: i64 = 2 * DEALT
        market = (CAMELS_LAID_OUT << CAMEL_SHIFT) + one(cards[dealt]) + one(cards[dealt + 1])
        return Round(_hand(cards, 0), _hand(cards, DEALT), market, Deck(cards, dealt + 2), bonus_piles, starter)

    @staticmethod
    def of_cards(cards: list[int], bonus_piles: i64, starter: i64) -> "Round":
        """The same from a list: see `Network.legal_values`."""
        return Round.lay_out(vec[i64](cards), bonus_piles, starter)

    def copy(self) -> "Round":
        """The same round, to be played on separately."""
        other = Round(
            self.first.copy(), self.second.copy(), self.market, self.deck.copy(), self.bonus_piles, self.starter
        )
        other.turn = self.turn
        other.discard = self.discard
        other.quiet = self.quiet
        other.ended_by = self.ended_by
        other.moves = self.moves.copy()
        return other

    @property
    def over(self) -> bool:
        """Whether the round has ended (R22)."""
        return self.ended_by != PLAYING

    def trader(self, seat: i64) -> Trader:
        """One seat's side of the table."""
        if seat == 0:
            return self.first
        if seat == 1:
            return self.second
        raise ValueError("a seat is 0 or 1")

    def view(self, seat: i64) -> View:
        """What a seat may know (R18 to R21)."""
        me = self.trader(seat)
        other = self.trader(1 - seat)
        rival = Rival(
            size(other.hand),
            other.known,
            other.herd,
            other.goods_rupees,
            other.goods_tokens,
            pile_counts(other.bonus),
        )
        return View(
            seat,
            self.turn,
            self.starter,
            self.over,
            self.market,
            self.deck.size,
            self.discard,
            bonus_left(self.bonus_piles),
            self.quiet,
            me.copy(),
            rival,
        )

    def legal_moves(self) -> list[Move]:
        """What the seat whose turn it is may play."""
        if self.over:
            return []
        me = self.trader(self.turn)
        return [from_code(code) for code in legal_codes(me.hand, me.herd, self.market)]

    def why_illegal(self, move: Move) -> IllegalMove | None:
        """The reason why the seat whose turn it is may not play the move, or None."""
        if self.over:
            return IllegalMove(N_("The round is over (R22)."))
        me = self.trader(self.turn)
        return why_illegal(me.hand, me.herd, self.market, move)

    def play(self, move: Move) -> None:
        """Plays a move for the seat whose turn it is. An illegal one raises `IllegalMove` and changes nothing."""
        reason = self.why_illegal(move)
        if reason is not None:
            raise reason
        self.moves.append(move)
        self.apply(move.code)

    def apply(self, code: i64) -> None:
        """Plays the code of a move that is known to be legal, without a check and without writing it down."""
        me = self.second if self.turn else self.first
        self.turn ^= 1
        take = code & BAG_MASK
        give = code >> BAG_BITS
        if take == 0:
            self._sell(me, give)
        elif give:
            self.quiet += 1
            self.market += give - take
            me.herd -= give >> CAMEL_SHIFT
            me.hand += take
            me.lose(give & GOODS_MASK)
        elif take == ONE_CAMEL:
            camels = self.market >> CAMEL_SHIFT
            me.herd += camels
            self.market &= GOODS_MASK
            self._refill(camels)
        else:
            me.hand += take
            self.market -= take
            self._refill(1)

    def _refill(self, cards: i64) -> None:
        self.quiet = 0
        if cards > self.deck.size:
            cards = self.deck.size
            self.ended_by = DECK_EMPTY
        for _ in range(cards):
            self.market += one(self.deck.draw())

    def _sell(self, me: Trader, goods: i64) -> None:
        self.quiet = 0
        good: i64 = 0
        cards = goods
        while cards & 7 == 0:
            cards >>= 3
            good += 1
        before = tally(self.discard, good)
        after = before + cards
        self.discard = add_tally(self.discard, good, cards)
        me.lose(goods)
        me.goods_rupees += worth(good, after) - worth(good, before)
        tokens = PILE_SIZE[good]
        me.goods_tokens += min(after, tokens) - min(before, tokens)
        if cards >= SMALLEST_BONUS_SALE:
            self._take_bonus(me, min(cards - SMALLEST_BONUS_SALE, BONUS_PILES - 1))
        if after >= tokens and self._piles_gone() >= PILES_TO_END:
            self.ended_by = TOKENS_GONE

    def _take_bonus(self, me: Trader, pile: i64) -> None:
        kind = top_bonus(self.bonus_piles, pile)
        if kind >= 0:
            me.bonus += one(kind)
            self.bonus_piles = without_top_bonus(self.bonus_piles, pile)

    def _piles_gone(self) -> i64:
        gone: i64 = 0
        for good in range(i64(GOODS)):
            if tally(self.discard, good) >= PILE_SIZE[good]:
                gone += 1
        return gone

    def stop(self) -> None:
        """Ends a round that goes nowhere (R25): for programs, never for people."""
        if self.over or self.quiet < QUIET_LIMIT:
            raise JaipurError(N_("A round is stopped only after 200 turns without a sale or a drawn card (R25)."))
        self.ended_by = STOPPED

    def stop_if_quiet(self) -> None:
        """The same, where it is allowed."""
        if not self.over and self.quiet >= QUIET_LIMIT:
            self.stop()

    def score(self) -> Score:
        """The score sheet as it stands (R23, R24)."""
        tallies = (self._tally(self.first, self.second), self._tally(self.second, self.first))
        first, second = tallies
        if first.rupees != second.rupees:
            return Score(tallies, int(first.rupees < second.rupees), "rupees")
        if first.bonus_tokens != second.bonus_tokens:
            return Score(tallies, int(first.bonus_tokens < second.bonus_tokens), "bonus tokens")
        if first.goods_tokens != second.goods_tokens:
            return Score(tallies, int(first.goods_tokens < second.goods_tokens), "goods tokens")
        return Score(tallies, None, "nothing")

    def _tally(self, me: Trader, other: Trader) -> Tally:
        camel = CAMEL_TOKEN if me.herd > other.herd else 0
        return Tally(me.goods_rupees, me.bonus_rupees, camel, me.bonus_tokens, me.goods_tokens)


def _hand(cards: vec[i64], start: i64) -> Trader:
    dealt: i64 = 0
    for i in range(i64(DEALT)):
        dealt += one(cards[start + i])
    return Trader(dealt & GOODS_MASK, dealt >> CAMEL_SHIFT)
