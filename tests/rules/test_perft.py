"""Counts of move sequences from fixed positions: the engine's tree against the brute-force one, node by node."""

from collections.abc import Iterator

import pytest

from jaipur import Move, Round
from jaipur.notation import parse_round
from tests.support import brute
from tests.support.effort import often
from tests.support.positions import round_from

pytestmark = pytest.mark.slow

POSITIONS = {
    "a deal with camels in a hand": (
        """turn 0 / starter 0 / quiet 0
        market GPMMM / deck SDLSMCSGMCCGMPLDDCPCPSLLLLLLPDGCMLMMPSPG / discard -
        bonus3 3 1 3 1 2 2 2 / bonus4 4 5 5 6 4 6 / bonus5 10 8 9 10 8
        seat0 hand DCP herd 2 rupees 0 tokens 0
        seat1 hand DGSCL herd 0 rupees 0 tokens 0""",
        (9, 115, 5353),
    ),
    "a deal that seat 1 starts": (
        """turn 1 / starter 1 / quiet 0
        market DPMMM / deck PGSPSMDLMPLPCGSPGMLCLDCCMDPSSLLLGDLGCMMP / discard -
        bonus3 3 2 3 1 2 1 2 / bonus4 6 4 5 4 5 6 / bonus5 8 10 10 9 8
        seat0 hand SLL herd 2 rupees 0 tokens 0
        seat1 hand DGCCC herd 0 rupees 0 tokens 0""",
        (8, 132, 4967),
    ),
    "full hands and large herds (R8, R13), a sale of six (R17)": (
        """turn 1 / starter 1 / quiet 7
        market DDSPM / deck CPLMGGC / discard DDDDGSCCCCCCPPPPPLLL
        bonus3 1 1 2 2 2 3 3 / bonus4 4 4 5 5 6 6 / bonus5 8 8 9 10 10
        seat0 hand GGGSSSS known GSS herd 1 rupees 0 tokens 0
        seat1 hand PLLLLLL known LLL herd 8 rupees 0 tokens 0""",
        (19, 442, 12121),
    ),
    "two types of tokens gone, a third nearly (R22), an empty bonus pile (R17)": (
        """turn 0 / starter 0 / quiet 0
        market GPLMM / deck CCMLL / discard DDDDDDGGSSSSSSCCCCCPPPLLLLL
        bonus3 - / bonus4 4 5 5 6 6 / bonus5 8 8 9 10 10
        seat0 hand GGGCP known C herd 0 rupees 60 tokens 10 bonus 1 1 2 2
        seat1 hand PPPLL known L herd 8 rupees 30 tokens 6 bonus 2 3 3 4""",
        (11, 231, 3817),
    ),
    "one card in the deck (R22), two empty bonus piles (R17)": (
        """turn 0 / starter 1 / quiet 199
        market DSPMM / deck G / discard DDGGGSSSSSCCCCCCPPPPPLLLLL
        bonus3 1 1 2 2 2 3 3 / bonus4 - / bonus5 -
        seat0 hand CCLLLLL herd 5 rupees 47 tokens 13 bonus 8 8 9 10 10
        seat1 hand DDDGGPP known DG herd 4 rupees 39 tokens 13 bonus 4 4 5 5 6 6""",
        (20, 358, 6629),
    ),
}


def children(round_: Round) -> Iterator[tuple[Move, Round]]:
    for move in round_.legal_moves():
        child = round_.copy()
        child.play(move)
        yield move, child


def count(round_: Round, depth: int) -> list[int]:
    """How many sequences of 1 to `depth` moves there are, by the engine alone."""
    if depth == 1:
        return [len(round_.legal_moves())]
    deeper = [count(child, depth - 1) for _move, child in children(round_)]
    return [len(deeper), *(sum(counts) for counts in zip(*deeper, strict=True))] if deeper else [0] * depth


def count_both(round_: Round, slow: brute.Table, depth: int) -> list[int]:
    """The same, with a check that engine and brute force agree on every one."""
    assert brute.read(str(round_)) == slow
    if depth == 0:
        return []
    actions = {brute.text(action): action for action in brute.legal_actions(slow)}
    moves = list(children(round_))
    assert sorted(str(move) for move, _ in moves) == sorted(actions)
    deeper = [count_both(child, brute.play(slow, actions[str(move)]), depth - 1) for move, child in moves]
    return [len(moves), *(sum(counts) for counts in zip(*deeper, strict=True))] if deeper else [0] * depth


@pytest.mark.parametrize(("position", "counts"), POSITIONS.values(), ids=POSITIONS.keys())
def test_the_engine_and_the_brute_force_count_the_same_sequences(position: str, counts: tuple[int, ...]) -> None:
    round_ = parse_round(position)
    assert tuple(count(round_, len(counts))) == counts
    depth = often(2, len(counts))
    assert tuple(count_both(round_, brute.read(str(round_)), depth)) == counts[:depth]


def test_the_positions_reach_both_ends_of_a_round() -> None:
    """R22: the trees above include rounds that end by the tokens and by the deck."""
    endings = set()
    for position, _ in POSITIONS.values():
        for _, child in children(parse_round(position)):
            for _, grandchild in children(child):
                endings.add(brute.read(str(grandchild)).ended)
    assert endings == {"", "tokens", "deck"}


def test_there_are_25499_actions() -> None:
    counts = [len(actions) for actions in (brute.TAKES, brute.CAMELS, brute.SALES, brute.EXCHANGES)]
    assert counts == [6, 1, 36, 25_456]
    assert len(set(brute.ALL_ACTIONS)) == sum(counts) == 25_499


def test_every_action_is_legal_somewhere() -> None:
    """None of the 25,499 is superfluous: for each there is a hand, a herd and a market that allow it."""
    for take, give in brute.ALL_ACTIONS:
        hand = give.replace("M", "")
        herd = give.count("M")
        market = brute.ordered((take + "MMMMM")[:5])
        round_ = round_from(f"market {market} / seat0 hand {hand or '-'} herd {herd}")
        assert round_.why_illegal(Move.parse(brute.text((take, give)))) is None
