"""The current lesson of a guided round: from the script while the game follows it, else the next idea within reach."""

from dataclasses import dataclass

from jaipur.language import _
from jaipur.match import Match
from jaipur.rules.bag import count, letters, size
from jaipur.rules.box import CAMEL, HAND_LIMIT, LETTERS, PILES_TO_END, bonus_pile, smallest_sale
from jaipur.rules.move import Move
from jaipur.server.lesson.lesson_script import LINE, SEED, STEPS
from jaipur.server.lesson.lesson_words import ALL_MET, END_IS_NEAR, FULL_HAND, IDEAS, KIND_ANSWERS, WAITING, Idea, Words
from jaipur.table import GameKind, Seen, Status, Table

LOW_DECK = 8
"""At this many cards in the deck or fewer, the learner is told that the round may end soon."""
_COMMITMENT = Match(SEED).commitment


@dataclass(frozen=True)
class Lesson:
    """What to try next. `take` and `give` are the letters of the cards to mark."""

    title: str
    text: str
    rule: str
    step: int | None
    answer: str
    take: str
    give: str
    strayed: bool
    steps: int = len(STEPS)


def lesson(seen: Seen) -> Lesson | None:
    """The lesson for a seat in a guided round; None in other games, in later rounds and once the round is over."""
    if seen.kind is not GameKind.GUIDED or seen.seat is None or seen.status is not Status.PLAYING or seen.round > 1:
        return None
    played = [logged.move for logged in seen.log]
    by_script = _by_script(seen.commitment, played)
    at = len(played) // 2
    if seen.turn != seen.seat:
        return _lesson(seen, WAITING, step=at + 1 if by_script else None)
    if not by_script or at >= len(STEPS):
        return _improvised(seen, played)
    return _lesson(seen, STEPS[at], Move.parse(STEPS[at].move), step=at + 1)


def scripted_reply(table: Table) -> Move | None:
    """The opponent's next move in the script of a guided round; None once the learner has left the script."""
    played = [logged.move for logged in table.log]
    by_script = table.kind is GameKind.GUIDED and _by_script(table.match.commitment, played)
    return Move.parse(LINE[len(played)]) if by_script and len(played) % 2 and len(played) < len(LINE) else None


def graduated(seen: Seen) -> bool:
    """Whether the learner has just finished the guided round."""
    return seen.kind is GameKind.GUIDED and seen.seat is not None and seen.status is Status.SHEET and seen.round == 1


def ideas_in(move: Move) -> set[Idea]:
    """The ideas that a move shows."""
    goods = move.give & ~(7 << (3 * CAMEL))
    if not move.take:
        kind = LETTERS.index(letters(move.give)[0])
        precious = {Idea.PAIR} if smallest_sale(kind) > 1 else set()
        return {Idea.SELL} | precious | ({Idea.BONUS} if bonus_pile(size(move.give)) >= 0 else set())
    if not move.give:
        return {Idea.CAMELS if count(move.take, CAMEL) else Idea.TAKE}
    return ({Idea.GIVE_GOODS} if goods else set()) | ({Idea.GIVE_CAMELS} if count(move.give, CAMEL) else set())


def _by_script(commitment: str, played: list[str]) -> bool:
    return commitment == _COMMITMENT and tuple(played) == LINE[: len(played)]


def _improvised(seen: Seen, played: list[str]) -> Lesson:
    """The first new idea that the learner can try now; when there is none, advice."""
    mine = [Move.parse(logged.move) for logged in seen.log if logged.seat == seen.seat]
    met = {idea for move in mine for idea in ideas_in(move)}
    # Only the move that left the script is answered: praise for every move would be noise.
    left = mine and _by_script(seen.commitment, played[:-2])
    answer = next((_(words) for idea, words in KIND_ANSWERS.items() if idea in ideas_in(mine[-1])), "") if left else ""
    legal = [Move.parse(text) for text in seen.legal]
    for idea, words in IDEAS.items():
        fitting = [move for move in legal if idea in ideas_in(move)] if idea not in met else []
        if fitting:
            return _lesson(seen, words, max(fitting, key=_worth), answer=answer, strayed=bool(mine))
    return _lesson(seen, _advice(seen), answer=answer, strayed=bool(mine))


def _worth(move: Move) -> tuple[int, int]:
    """Ranks suggestions: the largest sale; the smallest exchange, taking costly goods and giving cheap ones."""
    if not move.take:
        return size(move.give), 0
    dear_first = [LETTERS.index(letter) for letter in letters(move.take)]
    cheap_last = [LETTERS.index(letter) for letter in letters(move.give)]
    return -size(move.take), sum(cheap_last) - sum(dear_first)


def _advice(seen: Seen) -> Words:
    gone = sum(1 for pile in seen.tokens if not pile)
    if seen.deck <= LOW_DECK or gone == PILES_TO_END - 1:
        return END_IS_NEAR
    return FULL_HAND if seen.seat is not None and seen.sides[seen.seat].hand_size == HAND_LIMIT else ALL_MET


def _lesson(
    seen: Seen,
    words: Words,
    move: Move | None = None,
    step: int | None = None,
    answer: str = "",
    strayed: bool = False,
) -> Lesson:
    """Words with the cards of a suggested move. Taking the camels marks all of them in the market."""
    take, give = ("", "") if move is None else (letters(move.take), letters(move.give))
    if take == "M" and not give:
        take *= seen.market.count("M")
    return Lesson(_(words.title), _(words.text), words.rule, step, answer, take, give, strayed)
