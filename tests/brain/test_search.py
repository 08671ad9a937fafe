"""The search: what it tries, how far it looks, and what it concludes."""

from librt.vecs import vec

from jaipur import Rng, View
from jaipur.bots import Budget
from jaipur.bots.levels import shipped_vizier
from jaipur.bots.weights import shipped_network
from jaipur.brain.network import Network
from jaipur.brain.search import GLANCES, Search
from jaipur.rules.move import from_code
from tests.support.positions import round_from, views


def searched(view: View, depth: int, worlds: int) -> list[float]:
    """The values of all moves after this many worlds."""
    network = shipped_network("vizier")
    search = Search(view, network, network, Rng(1), 14, depth)
    search.run(worlds)
    return [candidate.value for candidate in search.candidates]


def test_the_first_worlds_are_only_glanced_at() -> None:
    """Only after these does it matter how far the search looks."""
    view = views(4)[6]
    assert searched(view, 4, GLANCES) == searched(view, 10, GLANCES)
    assert searched(view, 4, GLANCES + 8) != searched(view, 10, GLANCES + 8)


def test_a_glance_drops_no_move_that_is_close() -> None:
    dropped = 0
    for view in views(5)[::4]:
        search = shipped_vizier().think(view, Budget(worlds=GLANCES), Rng(2))
        best = search.best().value
        tried = search.candidates[:14]
        dropped += len(tried) - len(search.live)
        assert all(candidate in search.live for candidate in tried if candidate.value > best - 0.01)
    assert dropped > 0


def test_a_move_that_ends_the_round_has_its_exact_result() -> None:
    """Selling the last spice wins here, and nothing that follows can change it."""
    sold = "GGGGGPPPPPPCCCCCCC"
    round_ = round_from(f"market DDSLM / discard {sold} / seat0 hand PD herd 0 rupees 60 tokens 9 / seat1 hand L")
    search = shipped_vizier().think(round_.view(0), Budget(worlds=40), Rng(1))
    ending = next(candidate for candidate in search.candidates if str(from_code(candidate.code)) == "-P")
    assert set(ending.results) == {1.0}


def test_the_search_tells_a_value_and_an_error_for_every_move() -> None:
    view = views(4)[6]
    search = shipped_vizier().think(view, Budget(worlds=64), Rng(1))
    assert len(search.candidates) == len(view.legal_moves())
    assert all(0 <= candidate.value <= 1 for candidate in search.candidates)
    assert all(candidate.error < 0.1 for candidate in search.live)
    assert search.best() in search.live


def test_the_search_expects_the_moves_of_the_rivals_network() -> None:
    """A rival that is expected to play its worst moves is easier to beat than one expected to play its best."""
    view = views(4)[6]
    network = shipped_network("vizier")
    worst = Network(vec[float]([-weight for weight in network.output]))
    worst.rows = network.rows
    searches = [Search(view, network, rival, Rng(1), 14, 10) for rival in (worst, network)]
    for search in searches:
        search.run(64)
    easy, hard = (search.best() for search in searches)
    assert easy.value > hard.value + 4 * (easy.error + hard.error)


def test_more_worlds_make_a_smaller_error() -> None:
    view = views(4)[6]
    few = shipped_vizier().think(view, Budget(worlds=16), Rng(1)).best().error
    many = shipped_vizier().think(view, Budget(worlds=256), Rng(1)).best().error
    assert many < few
