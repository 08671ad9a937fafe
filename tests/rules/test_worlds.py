"""What a seat cannot see does not reach its view (R18 to R21), and a world drawn for a view is a fair draw."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations

import pytest

from jaipur import Match, Rng, Round, View, determinize, size
from jaipur.bots.weights import shipped_network
from jaipur.brain.beliefs import likely_world
from jaipur.notation import parse_view
from jaipur.rules.bag import letters
from jaipur.rules.box import LETTERS
from jaipur.rules.discard import discarded
from tests.support import brute
from tests.support.chi_square import fits
from tests.support.digest import SEATS, pick, walk
from tests.support.other_secrets import other_round
from tests.support.positions import round_from

pytestmark = pytest.mark.slow

MakeWorld = Callable[[View, Rng], Round]
Odds = dict[tuple[str, ...], float]


def positions(rounds: int) -> Iterator[Round]:
    """All positions of some random rounds, from the deal to the last."""
    for seed in range(rounds):
        yield from walk(seed, seed % 2)


@pytest.mark.parametrize("make_world", [determinize, likely_world])
def test_a_world_agrees_with_its_view_all_through_a_round(make_world: MakeWorld) -> None:
    rng = Rng(1)
    for round_ in positions(40):
        for seat in SEATS:
            view = round_.view(seat)
            world = make_world(view, rng)
            assert world.view(seat) == view
            assert str(world.view(seat)) == str(view)
            assert (world.turn, world.over, world.moves) == (round_.turn, round_.over, [])
            again = make_world(parse_view(str(view)), Rng(2))
            assert str(again) == str(make_world(view, Rng(2)))


@pytest.mark.parametrize("make_world", [determinize, likely_world])
def test_a_world_has_the_cards_and_tokens_of_the_box(make_world: MakeWorld) -> None:
    """R1, R3, R6: 55 cards with no camel in a hand, 18 bonus tokens each in its pile."""
    rng = Rng(2)
    for round_ in positions(20):
        for seat in SEATS:
            world = brute.read(str(make_world(round_.view(seat), rng)))
            hands = [side.hand for side in world.sides]
            herds = sum(side.herd for side in world.sides)
            assert not {"M"} & set("".join(hands))
            assert Counter(world.market + world.deck + world.discard + "".join(hands) + "M" * herds) == brute.CARDS
            owned = [value for side in world.sides for value in side.bonus]
            for pile, values in brute.BONUS.items():
                assert sorted(world.piles[pile] + [value for value in owned if value in values]) == values


def test_likely_hands_are_like_those_that_are_held() -> None:
    """How many cards of each good are hidden in the rounds of two merchants: in fact, and as believed.

    The same for the cheap goods of which some have been sold: they are seldom kept.
    """
    merchant, rng = shipped_network("merchant"), Rng(5)
    held: Counter[str] = Counter()
    believed: Counter[str] = Counter()
    for seed in range(150):
        round_ = Match(seed).round
        while not round_.over and round_.quiet < 50:
            view = round_.view(round_.turn)
            for found, some in ((held, round_), (believed, likely_world(view, rng))):
                cards = letters(some.side(1 - view.seat).hidden)
                found.update(cards)
                found["sold"] += sum(
                    card in "CPL" and discarded(view.discard, LETTERS.index(card)) > 0 for card in cards
                )
            round_.apply(merchant.best(view))
    assert all(0.85 < believed[good] / held[good] < 1.18 for good in "DGSCPL"), (held, believed)
    assert 0.8 < believed["sold"] / held["sold"] < 1.25, (held, believed)


def test_a_world_can_be_played_to_its_end() -> None:
    rng = Rng(3)
    for round_ in positions(3):
        world = determinize(round_.view(0), rng)
        while not world.over:
            world.play(pick(world.legal_moves(), rng.below(1 << 20)))


def positions_with_their_deals(rounds: int) -> Iterator[tuple[Round, Round]]:
    for seed in range(rounds):
        deal = next(walk(seed, seed % 2))
        yield from ((deal, round_) for round_ in walk(seed, seed % 2))


def test_secrets_do_not_reach_a_view() -> None:
    """Rounds that differ only in hidden cards, deck and bonus values have the same view, text, moves and reasons."""
    chance = random.Random(4)
    changed = 0
    for deal, round_ in positions_with_their_deals(20):
        for seat in SEATS:
            world = other_round(deal, round_, seat, chance)
            assert world.view(seat) == round_.view(seat)
            assert hash(world.view(seat)) == hash(round_.view(seat))
            assert str(world.view(seat)) == str(round_.view(seat))
            assert world.view(seat).legal_moves() == round_.view(seat).legal_moves()
            changed += str(world) != str(round_)
    assert changed > 2000


def test_the_same_moves_keep_a_secret_secret() -> None:
    """R18: as long as the same moves are played and nothing secret turns up, a seat sees no difference."""
    chance = random.Random(5)
    turns = 0
    for deal, round_ in positions_with_their_deals(12):
        for seat in SEATS:
            one_way, other = round_.copy(), other_round(deal, round_, seat, chance, min(10, round_.deck.size))
            while True:
                common = [move for move in one_way.legal_moves() if other.why_illegal(move) is None]
                common = [move for move in common if move.take or size(move.give) < 3]  # no bonus token, R17
                if not common or one_way.deck.size < round_.deck.size - 5:
                    break
                move = pick(common, chance.randrange(1 << 20))
                one_way.play(move)
                other.play(move)
                assert one_way.view(seat) == other.view(seat)
                turns += 1
    assert turns > 2000


def even_odds(outcomes: Iterator[tuple[str, ...]]) -> Odds:
    """The odds of the outcomes if all arrangements are equally likely."""
    counts = Counter(outcomes)
    return {outcome: count / counts.total() for outcome, count in counts.items()}


def drawn(position: str, look: Callable[[brute.Table], tuple[str, ...]], samples: int) -> Counter[tuple[str, ...]]:
    """What many worlds of seat 0's view look like."""
    view = round_from(position).view(0)
    rng = Rng(6)
    return Counter(look(brute.read(str(determinize(view, rng)))) for _ in range(samples))


def hand_and_deck(round_: brute.Table) -> tuple[str, ...]:
    return round_.sides[1].hand, round_.deck


def arrangements(unseen: str, hidden: int, known: str = "") -> Iterator[tuple[str, ...]]:
    """All ways to divide the unseen cards into the opponent's hidden goods (R6: no camel) and a deck."""
    for cards in permutations(unseen):
        if "M" not in cards[:hidden]:
            yield brute.ordered(known + "".join(cards[:hidden])), "".join(cards[hidden:])


HIDDEN_HANDS = [
    ("deck DGGL / seat1 hand DLL", "DGGLDLL", 3, ""),
    ("deck GGLMM / seat1 hand DL", "GGLMMDL", 2, ""),
    ("deck CMML / seat1 hand CCDPP known CP", "CMMLCDP", 3, "CP"),
]


@pytest.mark.parametrize(("position", "unseen", "hidden", "known"), HIDDEN_HANDS)
def test_every_hidden_hand_is_drawn_by_its_odds(position: str, unseen: str, hidden: int, known: str) -> None:
    """The hypergeometric odds, by counting. No camel is in a hand (R6); cards taken openly are."""
    odds = even_odds((hand,) for hand, _ in arrangements(unseen, hidden, known))
    counts = drawn(f"market DGSMM / {position}", lambda round_: (round_.sides[1].hand,), 10_000)
    assert fits(counts, odds)


@pytest.mark.parametrize(
    ("position", "unseen", "hidden", "known"),
    [
        *HIDDEN_HANDS,
        ("deck DDGM", "DDGM", 0, ""),
        ("deck SCPLM", "SCPLM", 0, ""),
        ("deck LLMM / seat1 hand C known C", "LLMM", 0, "C"),
    ],
)
def test_every_deck_is_drawn_by_its_odds(position: str, unseen: str, hidden: int, known: str) -> None:
    """Hidden hand and order of the deck together: each distinct outcome with its exact odds."""
    odds = even_odds(arrangements(unseen, hidden, known))
    assert fits(drawn(f"market DGSMM / {position}", hand_and_deck, 50 * int(1 / min(odds.values()))), odds)


@pytest.mark.parametrize(
    ("pile", "mine", "theirs"),
    [(5, [], [10]), (5, [8], [9, 10]), (4, [4, 6], [5]), (4, [], []), (3, [1, 3], [2, 2, 3])],
)
def test_every_bonus_token_is_drawn_by_its_odds(pile: int, mine: list[int], theirs: list[int]) -> None:
    """R19: the opponent's values and the order of the pile, out of all tokens that the viewer does not own."""
    seats = [" bonus " + " ".join(map(str, values)) if values else "" for values in (mine, theirs)]
    unseen = list(brute.BONUS[pile])
    for value in mine:
        unseen.remove(value)
    odds = even_odds(
        (str(sorted(tokens[: len(theirs)])), str(list(tokens[len(theirs) :]))) for tokens in permutations(unseen)
    )
    counts = drawn(
        f"market DGSMM / seat0 herd 0{seats[0]} / seat1 herd 0{seats[1]}",
        lambda round_: (str(round_.sides[1].bonus), str(round_.piles[pile])),
        50 * int(1 / min(odds.values())),
    )
    assert fits(counts, odds)


def lazy_shuffle(cards: list[str], chance: random.Random) -> None:
    """A beginner's mistake: each card is swapped with any other, so that some orders are likelier."""
    for i in range(len(cards)):
        j = chance.randrange(len(cards))
        cards[i], cards[j] = cards[j], cards[i]


@pytest.mark.parametrize(("mix", "fair"), [(lazy_shuffle, False), (lambda cards, chance: chance.shuffle(cards), True)])
def test_a_biased_shuffle_would_be_noticed(mix: Callable[[list[str], random.Random], None], fair: bool) -> None:
    """Shows that the tests above can fail: with as many samples, a slightly biased shuffle does not pass for fair."""
    chance = random.Random(7)
    counts: Counter[tuple[str, ...]] = Counter()
    for _ in range(2400):
        cards = list("SCPLM")
        mix(cards, chance)
        counts["", "".join(cards)] += 1
    assert fits(counts, even_odds(arrangements("SCPLM", 0))) == fair
