"""One round: deal, play, score (R5 to R24). It knows everything; players are given a `View` of it."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.rules.bag import BAG_BITS, BAG_MASK, CAMEL_SHIFT, GOODS_MASK, ONE_CAMEL, kind_of, one
from jaipur.rules.bonus import (
    bonus_kinds,
    bonus_left,
    bonus_value,
    pack_bonus,
    shuffled_bonus,
    top_bonus,
    without_top_bonus,
)
from jaipur.rules.box import (
    BONUS_PILES,
    CAMEL_TOKEN,
    CAMELS_LAID_OUT,
    DEALT,
    LETTERS,
    PILE_SIZE,
    PILES_TO_END,
    QUIET_LIMIT,
    bonus_pile,
)
from jaipur.rules.deck import SHUFFLED, Deck
from jaipur.rules.discard import discarded, piles_gone, sale_rupees, with_discarded
from jaipur.rules.display import one_line, painted, position_text, side_text
from jaipur.rules.errors import N_, IllegalMove, JaipurError
from jaipur.rules.legal import legal_codes
from jaipur.rules.move import Move, from_code
from jaipur.rules.reasons import why_illegal
from jaipur.rules.rng import Rng, shuffle
from jaipur.rules.score import Ending, Score, Tally, score_of
from jaipur.rules.side import Side, seen_by_opponent, side_of_key
from jaipur.rules.view import View


@final
class Round:  # noqa: PLW1641 - a round changes, so it has no hash
    """A round in progress. Seats are 0 and 1; `turn` is the seat that moves next."""

    def __init__(self, first: Side, second: Side, market: i64, deck: Deck, bonus_piles: i64, starter: i64) -> None:
        self.first = first
        self.second = second
        self.market = market
        self.deck = deck
        self.bonus_piles = bonus_piles
        self.starter = starter
        self.turn = starter
        self.discard: i64 = 0
        self.quiet: i64 = 0
        self.ending: Ending | None = None
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
        """Like `lay_out`, but from a list, for callers that are not compiled: see `Network.legal_values`."""
        return Round.lay_out(vec[i64](cards), bonus_piles, starter)

    def copy(self) -> "Round":
        """A copy that can be played on independently."""
        other = Round(
            self.first.copy(), self.second.copy(), self.market, self.deck.copy(), self.bonus_piles, self.starter
        )
        other.turn = self.turn
        other.discard = self.discard
        other.quiet = self.quiet
        other.ending = self.ending
        other.moves = self.moves.copy()
        return other

    @property
    def over(self) -> bool:
        """Whether the round has ended (R22)."""
        return self.ending is not None

    def side(self, seat: i64) -> Side:
        """One seat's side of the table."""
        if seat == 0:
            return self.first
        if seat == 1:
            return self.second
        raise JaipurError(N_("A seat is 0 or 1, not {seat}."), seat=seat)

    def view(self, seat: i64) -> View:
        """What a seat may know (R18 to R21)."""
        return View(
            seat=seat,
            turn=self.turn,
            starter=self.starter,
            over=self.over,
            market=self.market,
            deck_size=self.deck.size,
            discard=self.discard,
            bonus_left=bonus_left(self.bonus_piles),
            quiet=self.quiet,
            me=self.side(seat).copy(),
            rival=seen_by_opponent(self.side(1 - seat)),
        )

    def show(self, view: View) -> None:
        """Overwrites a view with all that the seat to move may know, so that millions of turns need no new objects."""
        seat = self.turn
        me = self.second if seat else self.first
        view.seat = seat
        view.turn = seat
        view.starter = self.starter
        view.over = self.over
        view.market = self.market
        view.deck_size = self.deck.size
        view.discard = self.discard
        view.bonus_left = bonus_left(self.bonus_piles)
        view.quiet = self.quiet
        view.me.become(me)
        view.rival.see(self.first if seat else self.second)

    def legal_moves(self) -> list[Move]:
        """What the seat to move may play."""
        if self.over:
            return []
        me = self.side(self.turn)
        return [from_code(code) for code in legal_codes(me.hand, me.herd, self.market)]

    def why_illegal(self, move: Move) -> IllegalMove | None:
        """Why the seat to move may not play this move, or None."""
        if self.over:
            return IllegalMove(N_("The round is over (R22)."))
        me = self.side(self.turn)
        return why_illegal(me.hand, me.herd, self.market, move)

    def turns(self) -> list[tuple[int, Move]]:
        """The moves so far, each with the seat that played it: they take turns (R7)."""
        return [((self.starter + number) % 2, move) for number, move in enumerate(self.moves)]

    def play(self, move: Move) -> None:
        """Plays a move for the seat to move. An illegal one raises `IllegalMove` and changes nothing."""
        reason = self.why_illegal(move)
        if reason is not None:
            raise reason
        self.moves.append(move)
        self.apply(move.code)

    def apply(self, code: i64) -> None:
        """Plays the code of a move known to be legal, without checking it or adding it to `moves`."""
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
            self.ending = Ending.DECK
        for _ in range(cards):
            self.market += one(self.deck.draw())

    def _sell(self, me: Side, goods: i64) -> None:
        self.quiet = 0
        good = kind_of(goods)
        cards = goods >> (3 * good)
        before = discarded(self.discard, good)
        after = before + cards
        me.lose(goods)
        me.goods_rupees += sale_rupees(self.discard, good, cards)
        self.discard = with_discarded(self.discard, good, cards)
        tokens = PILE_SIZE[good]
        me.goods_tokens += min(after, tokens) - min(before, tokens)
        pile = bonus_pile(cards)
        if pile >= 0:
            self._take_bonus(me, pile)
        if after >= tokens and piles_gone(self.discard) >= PILES_TO_END:
            self.ending = Ending.TOKENS

    def _take_bonus(self, me: Side, pile: i64) -> None:
        kind = top_bonus(self.bonus_piles, pile)
        if kind >= 0:
            me.bonus += one(kind)
            self.bonus_piles = without_top_bonus(self.bonus_piles, pile)

    def stop(self) -> None:
        """Ends a round that is going nowhere (R25): for programs, never for people."""
        if self.over or self.quiet < QUIET_LIMIT:
            raise JaipurError(N_("A round is stopped only after 200 turns without a sale or a drawn card (R25)."))
        self.ending = Ending.STOPPED

    def stop_if_quiet(self) -> None:
        """Stops the round if R25 allows it."""
        if not self.over and self.quiet >= QUIET_LIMIT:
            self.stop()

    def score(self) -> Score:
        """The score sheet as it stands (R23, R24)."""
        return score_of(_tally(self.first, self.second), _tally(self.second, self.first))

    def key(self) -> tuple[object, ...]:
        """The whole position, for comparison, without the moves that led to it."""
        table = (self.market, tuple(self.deck.kinds()), self.discard, self.bonus_piles, self.quiet)
        return (self.turn, self.starter, self.ending, table, self.first.key(), self.second.key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Round) and self.key() == other.key()

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled."""
        return _round_of_key, (*self.key(), self.moves.copy())

    def __str__(self) -> str:
        over = f" / over {self.ending}" if self.over else ""
        return position_text(
            f"turn {self.turn} / starter {self.starter} / quiet {self.quiet}{over}",
            self.market,
            "".join([LETTERS[kind] for kind in self.deck.kinds()]),
            self.discard,
            [_pile_text(self.bonus_piles, pile) for pile in range(BONUS_PILES)],
            [side_text(self.first), side_text(self.second)],
        )

    def __repr__(self) -> str:
        return f"parse_round('{one_line(str(self))}')"

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows, with both hands open."""
        return painted(self)


def _round_of_key(
    turn: i64,
    starter: i64,
    ending: Ending | None,
    table: tuple[i64, tuple[int, ...], i64, i64, i64],
    first: tuple[i64, ...],
    second: tuple[i64, ...],
    moves: list[Move],
) -> Round:
    market, deck, discard, bonus_piles, quiet = table
    played = Round(side_of_key(*first), side_of_key(*second), market, Deck.of(list(deck)), bonus_piles, starter)
    played.turn = turn
    played.discard = discard
    played.quiet = quiet
    played.ending = ending
    played.moves = moves
    return played


def _tally(me: Side, other: Side) -> Tally:
    camel = CAMEL_TOKEN if me.herd > other.herd else 0
    return Tally(me.goods_rupees, me.bonus_rupees, camel, me.bonus_tokens, me.goods_tokens)


def _pile_text(piles: i64, pile: i64) -> str:
    return " ".join([str(bonus_value(kind)) for kind in bonus_kinds(piles, pile)])


def _hand(cards: vec[i64], start: i64) -> Side:
    dealt: i64 = 0
    for i in range(i64(DEALT)):
        dealt += one(cards[start + i])
    return Side(dealt & GOODS_MASK, dealt >> CAMEL_SHIFT)
