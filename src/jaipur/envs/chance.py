"""A round whose luck comes from outside, one card or bonus token at a time, for programs that reason about chance.

The rules are those of `jaipur.rules`. Playing a move on a copy tells how much it draws; once its luck is known, the
cards are put on top of the deck and the move is played.
"""

from collections import Counter
from collections.abc import Iterable

from jaipur.encoding.actions import legal_actions, move_of
from jaipur.rules.bag import size
from jaipur.rules.bonus import bonus_kinds, bonus_value, with_bonus_on_top
from jaipur.rules.box import DEALT, LETTERS, bonus_pile
from jaipur.rules.deck import SHUFFLED, Deck
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng
from jaipur.rules.round import Round

STARTER, CARD, BONUS = "starter", "card", "bonus"
"""What chance decides: a seat, a kind of card, or a kind of bonus token."""
SEATS = (0, 1)


class ChanceRound:
    """A round in progress, from before the first card. `due` is what chance must decide next, in order, if anything.

    `seen` lists all that each seat has seen, in order: it is the same in two rounds that a seat cannot tell apart.
    """

    def __init__(self) -> None:
        self.starter = 0
        self.dealt: list[int] = []
        self.round: Round | None = None
        self.pending: Move | None = None
        self.drawn: list[int] = []
        self.due: tuple[str, ...] = (STARTER, *[CARD] * (2 * DEALT + 2))
        self.seen: tuple[list[str], list[str]] = ([], [])

    def __deepcopy__(self, memo: object) -> "ChanceRound":
        other = ChanceRound()
        other.starter, other.pending, other.due = self.starter, self.pending, self.due
        other.dealt, other.drawn = self.dealt.copy(), self.drawn.copy()
        other.round = None if self.round is None else self.round.copy()
        other.seen = self.seen[0].copy(), self.seen[1].copy()
        return other

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.round is not None and self.round.over

    def legal(self) -> list[int]:
        """The legal actions of the seat to move."""
        return [] if self.due or self.round is None else list(legal_actions(self.round.view(self.round.turn)))

    def outcomes(self) -> dict[int, float]:
        """The outcomes that chance may choose now, and how likely each is."""
        if not self.due:
            return {}
        cards = Counter(SEATS if self.due[0] == STARTER else self._left())
        return {outcome: number / cards.total() for outcome, number in sorted(cards.items())}

    def _left(self) -> list[int]:
        if self.round is None:
            return _without(SHUFFLED, self.dealt)
        if self.due[0] == BONUS:
            assert self.pending is not None
            return bonus_kinds(self.round.bonus_piles, bonus_pile(size(self.pending.give)))
        return _without(self.round.deck.kinds(), self.drawn)

    def settle(self, outcome: int) -> None:
        """Takes in an outcome that chance has chosen."""
        if outcome not in self.outcomes():
            raise JaipurError(N_("{outcome} is not a possible chance outcome now."), outcome=outcome)
        what, self.due = self.due[0], self.due[1:]
        if what == STARTER:
            self.starter = outcome
        elif self.round is None:
            self._deal(outcome)
        else:
            self._draw(what, outcome)

    def _deal(self, kind: int) -> None:
        seat = len(self.dealt) // DEALT
        self.dealt.append(kind)
        if seat in SEATS:
            self.seen[seat].append(f"dealt {LETTERS[kind]}")
        if self.due:
            return
        cards = self.dealt + _without(SHUFFLED, self.dealt)
        # The piles may be in any order: chance decides which token is on top when one is taken.
        whole = Round.deal(Rng(0)).bonus_piles
        self.round = Round.of_cards(cards, whole, self.starter)
        turned = "".join(LETTERS[kind] for kind in self.dealt[2 * DEALT :])
        for seat in SEATS:
            rival = self.round.side(1 - seat)
            self.seen[seat].append(f"starter {self.starter} market {turned} rival's herd {rival.herd}")

    def choose(self, action: int) -> None:
        """Takes the move of the seat to move; it is played once chance has decided what it draws."""
        round_ = self.round
        if round_ is None or self.due:
            raise JaipurError(N_("A chance outcome is due first."))
        move = move_of(action)
        trial = round_.copy()
        trial.play(move)
        self.pending = move
        for seen in self.seen:
            seen.append(str(move))
        cards = round_.deck.size - trial.deck.size
        tokens = trial.bonus_piles != round_.bonus_piles
        self.due = (*[CARD] * cards, *[BONUS] * tokens)
        if not self.due:
            self._play()

    def _draw(self, what: str, outcome: int) -> None:
        assert self.round is not None
        if what == BONUS:
            self.round.bonus_piles = with_bonus_on_top(self.round.bonus_piles, outcome)
            for seat in SEATS:
                mine = seat == self.round.turn
                self.seen[seat].append(f"bonus {bonus_value(outcome)}" if mine else "bonus ?")
        else:
            self.drawn.append(outcome)
            for seen in self.seen:
                seen.append(f"drawn {LETTERS[outcome]}")
        if not self.due:
            self._play()

    def _play(self) -> None:
        round_ = self.round
        assert round_ is not None
        assert self.pending is not None
        round_.deck = Deck.of(self.drawn + _without(round_.deck.kinds(), self.drawn))
        round_.apply(self.pending.code)
        round_.stop_if_quiet()
        self.pending = None
        self.drawn = []


def _without(cards: Iterable[int], some: list[int]) -> list[int]:
    return list((Counter(cards) - Counter(some)).elements())
