"""Matches and rounds for the tests of the coach, all played by fast players from fixed seeds."""

from jaipur import Match, Move, Rng, Round
from jaipur.bots import Budget, make_player
from jaipur.coach.grades import grade, judge_network
from jaipur.coach.review import Draft, Review
from jaipur.rules.move import from_code
from jaipur.rules.view import View

QUICK = Budget(worlds=8)


def played_match(seed: int, names: tuple[str, str] = ("trader", "merchant")) -> Match:
    players = [make_player(name) for name in names]
    rng, match = Rng(seed), Match(seed)
    while not match.over:
        if match.round.over:
            match.next_round()
        seat = match.round.turn
        match.play(players[seat].choose(match.round.view(seat), QUICK, rng))
        match.round.stop_if_quiet()
    return match


def review_match(match: Match, worlds: int, ended: bool = False) -> Review:
    """The whole review at once, in this process."""
    draft = Draft(match, worlds, ended)
    return draft.review([grade(task) for task in draft.tasks()])


def replayed(dealt: Round, played: Round) -> list[tuple[Round, Move]]:
    """Each move of a round, with the position before it."""
    found, now = [], dealt.copy()
    for move in played.moves:
        found.append((now.copy(), move))
        now.play(move)
    return found


def round_of_equals(rng: Rng, starter: int) -> tuple[Round, Round]:
    """A deal, and the round that the judge's network played from it against itself."""
    dealt = Round.deal(rng, starter)
    return dealt, played_by_equals(dealt)


def played_by_equals(dealt: Round) -> Round:
    """The round that the judge's network plays from a deal against itself."""
    played = dealt.copy()
    while not played.over:
        played.play(from_code(judge_network().best(played.view(played.turn))))
        played.stop_if_quiet()
    return played


def some_views(number: int, seed: int = 1, name: str = "trader") -> list[View]:
    """Views with a choice of moves, from all stages of a round."""
    rng, player = Rng(seed), make_player(name)
    views: list[View] = []
    while len(views) < number:
        round_ = Round.deal(rng, rng.below(2))
        for _move in range(rng.below(40)):
            if not round_.over:
                round_.play(player.choose(round_.view(round_.turn), QUICK, rng))
        if not round_.over and len(round_.legal_moves()) > 1:
            views.append(round_.view(round_.turn))
    return views
