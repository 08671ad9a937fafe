"""Three servers behind nginx, separate bot workers, PostgreSQL: each is killed while programs play and hop between."""

import os
import shutil

import pytest

from jaipur.bench import faults
from jaipur.bench.client import set_up_twice
from tests.postgres import require_postgres

pytestmark = pytest.mark.slow


def test_all_goes_on_after_any_fault_and_nothing_is_lost() -> None:
    """A few faults of each kind; `jaipur bench faults` has a hundred."""
    require_postgres()
    if shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") is None:
        reason = "no nginx was found: install it to run the test of several servers"
        if os.environ.get("JAIPUR_NGINX") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    wanted = {"server": 2, "thinker": 2, "database": 1, "cut": 2, "port": 1}
    figures = faults.run(wanted, 600)
    assert {fault: figures[f"{fault}_faults"] for fault in wanted} == wanted
    assert int(str(figures["acknowledged"])) > 2 * sum(wanted.values())
    bad = (
        "acknowledged_and_lost",
        "written_twice",
        "set_up_twice",
        "games_not_whole",
        "streams_not_once_in_order",
        "refused",
    )
    assert [(name, figures[name]) for name in bad if figures[name]] == []


@pytest.mark.parametrize(("made", "playing", "twice"), [(3, ["a", "b"], 0), (4, ["a", ""], 0), (5, ["a", ""], 1)])
def test_a_game_that_nobody_was_told_of_was_set_up_twice(made: int, playing: list[str], twice: int) -> None:
    """A player without a game at the end may have asked for one and got no answer."""
    assert set_up_twice(made, 3, playing) == twice
