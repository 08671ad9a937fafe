"""The extra `rl`: the examples, the page and the bench run with it."""

import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tools.catalogue import ROOT

from jaipur import JaipurError
from jaipur.bench import environments
from jaipur.envs.self_play import SelfPlayEnv
from tests.support.terminal import jaipur as command

pytestmark = pytest.mark.slow

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
BRIEFLY = {
    "learn.py": ["--minutes", "0.02", "--reports", "1", "--test-rounds", "2"],
    "vector_random.py": ["--steps", "5000"],
    "openspiel_ismcts.py": ["--rounds", "1", "--simulations", "2"],
    "levels.py": ["--rounds", "1"],
}
HEAVY = ("numpy", "gymnasium", "pettingzoo", "pyspiel", "open_spiel", "PIL", "scipy")


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_without_the_extra_one_sentence_says_what_to_install() -> None:
    program = (
        "import sys\n"
        "sys.modules['gymnasium'] = None\n"
        "try:\n"
        "    import jaipur.envs\n"
        "except Exception as error:\n"
        "    print(type(error).__name__, error)"
    )
    assert run(program).stdout.strip() == (
        f"JaipurError This needs more packages: run {sys.executable} -m pip install '.[rl]' in the project's folder."
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_run(example: Path) -> None:
    arguments = BRIEFLY.get(example.name, [])
    done = subprocess.run(
        [sys.executable, str(example), *arguments], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_page_names_every_example() -> None:
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    assert [path.name for path in EXAMPLES if f"../examples/{path.name}" not in page] == []


def test_the_examples_of_the_page_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "environments.md"), module_relative=False, encoding="utf-8")
    assert tried > 15
    assert not failed


def test_the_bench_measures_the_environments_and_says_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries of the other games are not development dependencies; here they are certainly missing."""
    for library in ("rlcard", "pygame", "shimmy", "pgx", "jax"):
        monkeypatch.setitem(sys.modules, library, None)
    figures = environments.measure(0.01)
    others = {name: figures.pop(name) for name in list(figures) if name.startswith(("PettingZoo", "RLCard", "Pgx"))}
    assert len(others) == 9
    assert set(others.values()) == {"not installed: pip install rlcard pygame-ce pgx shimmy"}
    assert len(figures) == 8
    assert all(isinstance(figure, float) and figure > 0 for figure in figures.values())


def test_bench_takes_what_to_measure(tmp_path: Path) -> None:
    assert json.loads(command("bench", "rules", "--json", "--seconds", "0.01", games=tmp_path).stdout)["fingerprint"]
    wrong = command("bench", "weather", games=tmp_path)
    assert wrong.returncode == 1
    assert wrong.stderr.strip() == "There is no measurement “weather”: choose rules, bots, coach, envs, server."


def test_errors_of_the_environments_are_errors_of_the_game() -> None:
    with pytest.raises(JaipurError) as caught:
        SelfPlayEnv(2, reward="fame")
    assert caught.value.sentence == "The option {name} cannot be “{value}”: choose {choices}."
