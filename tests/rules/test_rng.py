"""The generators are pinned: the same seed always gives the same numbers, orders and deals, and without bias."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from jaipur import JaipurError, Match, Rng
from jaipur.match import read_seed
from jaipur.rules.rng import SeedRng, shuffle
from tests.support.chi_square import critical_value, fits, fits_evenly

HEX_SEED = "00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210"
LABELS = [(bytes(32), "jaipur 1 round 1"), (bytes(range(32)), "a label"), (b"x" * 32, "")]

RNG_NUMBERS = {
    0: [963, 487, 193, 681, 693, 659, 158, 114, 988, 234, 487, 954, 153, 136, 10, 553, 411, 400, 218, 757],
    1: [219, 531, 260, 538, 553, 953, 895, 292, 495, 254, 15, 810, 873, 857, 872, 981, 939, 995, 511, 998],
    2**64: [190, 598, 465, 441, 41, 143, 904, 229, 920, 707, 812, 246, 928, 910, 158, 761, 701, 71, 202, 453],
}
SEED_RNG_NUMBERS = [
    [713, 554, 181, 2, 231, 831, 634, 36, 808, 692, 1, 743, 248, 329, 399, 226, 430, 639, 726, 205],
    [974, 264, 901, 81, 292, 915, 174, 981, 678, 51, 838, 880, 511, 925, 579, 346, 66, 519, 6, 478],
    [762, 700, 123, 423, 992, 957, 10, 746, 87, 662, 746, 679, 669, 346, 882, 335, 376, 246, 455, 602],
]
DEALS: dict[int | str, str] = {
    0: """turn 1 / starter 1 / quiet 0
market PLMMM / deck CCMCSMPCCLDLMCPDSMDDSPMMGCSLGLGGGPLGLPSL / discard -
bonus3 1 2 2 1 3 3 2 / bonus4 6 5 4 5 6 4 / bonus5 10 8 10 8 9
seat0 hand DSPP herd 1 rupees 0 tokens 0
seat1 hand DCLL herd 1 rupees 0 tokens 0""",
    1: """turn 0 / starter 0 / quiet 0
market DMMMM / deck LPSLCMLLCGCCSLPLPPGLCSMDSGPCGMCDLMMPGSML / discard -
bonus3 3 1 2 3 2 2 1 / bonus4 6 4 6 5 4 5 / bonus5 10 8 10 8 9
seat0 hand DDGPL herd 0 rupees 0 tokens 0
seat1 hand DSCP herd 1 rupees 0 tokens 0""",
    HEX_SEED: """turn 0 / starter 0 / quiet 0
market SCMMM / deck LDLSCLPGPLSPGLCPGLLCSCDMPGMDPGCLDSDLPMLS / discard -
bonus3 2 1 3 2 2 3 1 / bonus4 4 4 6 6 5 5 / bonus5 8 10 9 8 10
seat0 hand D herd 4 rupees 0 tokens 0
seat1 hand GCCP herd 1 rupees 0 tokens 0""",
}


@pytest.fixture(params=["quick", "dealing"])
def rng(request: pytest.FixtureRequest) -> Rng:
    return Rng(20) if request.param == "quick" else SeedRng(bytes(range(32)), "even")


def stream(seed: bytes, label: str) -> Iterator[int]:
    """The words of a SeedRng, computed as its docstring says."""
    counter = 0
    while True:
        block = hmac.digest(seed, label.encode() + counter.to_bytes(4, "big"), hashlib.sha256)
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))
        counter += 1


@pytest.mark.parametrize(("freedom", "printed"), [(1, 10.83), (5, 20.52), (23, 49.73), (100, 149.45)])
def test_the_critical_value_is_that_of_the_printed_tables(freedom: int, printed: float) -> None:
    assert critical_value(freedom) == pytest.approx(printed, rel=0.04)


def test_chi_square_tells_a_fair_die_from_a_loaded_one() -> None:
    assert fits_evenly(Counter({face: 1000 + face for face in range(6)}), 6)
    assert not fits_evenly(Counter({face: 1000 + 50 * face for face in range(6)}), 6)
    assert not fits_evenly(Counter(dict.fromkeys(range(7), 1000)), 6)


@pytest.mark.parametrize("seed", RNG_NUMBERS)
def test_the_quick_generator_gives_the_pinned_numbers(seed: int) -> None:
    rng = Rng(seed)
    assert [rng.below(1000) for _ in range(20)] == RNG_NUMBERS[seed]


@pytest.mark.parametrize(("origin", "numbers"), list(zip(LABELS, SEED_RNG_NUMBERS, strict=True)))
def test_the_dealing_generator_gives_the_pinned_numbers(origin: tuple[bytes, str], numbers: list[int]) -> None:
    rng = SeedRng(*origin)
    assert [rng.below(1000) for _ in range(20)] == numbers


@pytest.mark.parametrize("origin", LABELS)
@pytest.mark.parametrize("n", [1, 2, 52, 1000, 2**31, 2**31 + 1, 3 * 2**30])
def test_the_dealing_generator_is_the_one_of_its_docstring(origin: tuple[bytes, str], n: int) -> None:
    """For the two largest n at least a quarter of the words is skipped, so this covers the rejection, too."""
    rng = SeedRng(*origin)
    accepted = (word % n for word in stream(*origin) if word < 2**32 // n * n)
    assert [rng.below(n) for _ in range(50)] == list(islice(accepted, 50))


@pytest.mark.parametrize("seed", DEALS)
def test_a_seed_deals_the_pinned_cards(seed: int | str) -> None:
    """R5 to R7: hands, herds, market, deck, bonus piles and the starter."""
    assert str(Match(seed).round) == DEALS[seed]


@pytest.mark.parametrize(
    ("seed", "raw"),
    [
        (0, bytes(32)),
        (258, bytes(30) + b"\1\2"),
        (HEX_SEED, bytes.fromhex(HEX_SEED)),
        (HEX_SEED.upper(), bytes.fromhex(HEX_SEED)),
        (bytes(range(32)), bytes(range(32))),
        (2**256 - 1, b"\xff" * 32),
    ],
)
def test_the_commitment_is_the_sha256_of_the_seed(seed: int | str | bytes, raw: bytes) -> None:
    assert Match(seed).seed == raw
    assert Match(seed).commitment == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize("seed", [-1, 2**256, "", "0", HEX_SEED[1:], HEX_SEED[:-1] + "g", b"short", "٣" * 64])
def test_anything_else_is_no_seed(seed: int | str | bytes) -> None:
    with pytest.raises(JaipurError):
        read_seed(seed)


def test_a_match_without_a_seed_draws_its_own() -> None:
    assert len({Match().seed for _ in range(10)}) == 10


def test_rounds_and_starters_of_a_match_are_dealt_from_labels_of_their_own() -> None:
    rng = SeedRng(bytes(32), "jaipur 1 starter")
    assert Match(0).round.starter == rng.below(2) == 1
    starters = Counter(Match(seed).round.starter for seed in range(400))
    assert fits_evenly(starters, 2)  # R7


@pytest.mark.parametrize("n", [2, 3, 7, 52, 100])
def test_numbers_are_equally_likely(rng: Rng, n: int) -> None:
    assert fits_evenly(Counter(rng.below(n) for _ in range(1000 * n)), n)


def test_a_number_tells_nothing_of_the_next(rng: Rng) -> None:
    assert fits_evenly(Counter(10 * rng.below(10) + rng.below(10) for _ in range(20_000)), 100)


@pytest.mark.parametrize("n", [1, 2, 55, 2**16, 2**31])
def test_a_number_is_below_its_limit(rng: Rng, n: int) -> None:
    numbers = [rng.below(n) for _ in range(1000)]
    assert 0 <= min(numbers) <= n // 20
    assert n - 1 - n // 20 <= max(numbers) < n


def test_all_24_orders_of_four_cards_are_equally_likely(rng: Rng) -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(48_000):
        cards = vec[i64](range(4))
        shuffle(cards, 0, rng)
        counts[tuple(cards)] += 1
    assert fits(counts, dict.fromkeys(permutations(range(4)), 1 / 24))


def test_a_shuffle_leaves_the_cards_before_its_start() -> None:
    rng = Rng(3)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        cards = vec[i64](range(5))
        shuffle(cards, 2, rng)
        counts[tuple(cards)] += 1
    assert fits(counts, {(0, 1, *rest): 1 / 6 for rest in permutations((2, 3, 4))})
