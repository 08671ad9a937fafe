"""What an install includes: the plain one works without the packages of the extras, and says what is missing."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
from tools.catalogue import ROOT

import jaipur
from jaipur.language import LANGUAGES
from tests.support.terminal import environment

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
IN_ANY_CASE = {"markdown-it-py"}
"""Packages that the plain install has, too: rich needs this one."""
INSTALLING = re.compile(r"\b(?:(?:pip3?|pipx|uv|uv pip|uv tool) install|uv add|uvx|pipx run) +([^`&|;#]*)")
OPTIONS = re.compile(r"(?<!\S)(?:(?:-c|--constraint) +\S+|-\S+)")
BESIDES = {"asyncssh", "rlcard"}
"""What else the docs tell people to install."""
ROOMS_OF_EXTRAS = {"bench", "cluster", "envs", "server", "store", "table"}


def normal(requirement: str) -> str:
    """The name of a package, normalized for comparison."""
    found = re.match(r"[A-Za-z0-9_-]+", requirement)
    assert found
    return found[0].lower().replace("_", "-")


OF_EXTRAS = {
    normal(line) for name, extra in PROJECT["optional-dependencies"].items() if name != "dev" for line in extra
} - {PROJECT["name"], *IN_ANY_CASE}
MODULES = sorted(name for name, packages in packages_distributions().items() if OF_EXTRAS & set(map(normal, packages)))
"""What the packages of the extras are imported as."""
WITHOUT = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {MODULES!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from jaipur.cli import main
main()
"""


def plain(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in a Python without the packages of the extras."""
    command = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment(folder), input="quit\n", check=False)


def test_the_plain_rooms_load_no_package_of_an_extra() -> None:
    package = ROOT / "src" / "jaipur"
    names = [path.relative_to(package.parent).with_suffix("") for path in package.rglob("*.py")]
    skipped = ROOMS_OF_EXTRAS | {"__init__", "__main__"}
    modules = [".".join(name.parts) for name in names if not skipped & {*name.parts}]
    assert "jaipur.cli.commands" in modules
    assert len(MODULES) >= len(OF_EXTRAS)
    program = (
        f"import sys, importlib\nfor name in {modules}: importlib.import_module(name)\n"
        f"print([name for name in {MODULES} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        ("rules",),
        ("play", "--new"),
        ("bench", "--seconds", "0.01"),
        ("duel", "trader", "random", "--rounds", "2", "--workers", "1"),
    ],
)
def test_the_plain_install_plays(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = plain(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (("serve",), "web"),
        (("bench", "envs"), "rl"),
        (("bench", "server"), "web"),
        (("duel", "trader", "random", "--cluster", "tcp://localhost:8786"), "cluster"),
    ],
)
def test_what_is_missing_is_said_in_one_sentence(arguments: tuple[str, ...], extra: str, tmp_path: Path) -> None:
    done = plain(tmp_path, *arguments)
    assert done.returncode == 1
    assert f"pip install '.[{extra}]' in" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_nothing_is_skipped_where_changes_are_tested() -> None:
    """Whatever tests may skip unless it is required is required there."""
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py"))
    named = set(re.findall(r'environ.get\("(JAIPUR_\w+)"\) == "required"', tests))
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert len(named) == 3
    assert named == set(re.findall(r"(JAIPUR_\w+)=required", script))
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert "run: .ci/run" in workflow
    assert "make test" not in workflow


def test_the_version_stands_in_one_place() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", jaipur.__version__)


def test_the_command_prints_the_version_of_the_distribution(tmp_path: Path) -> None:
    assert plain(tmp_path, "--version").stdout.split()[:2] == ["jaipur", version("jaipur-game")]


def misleads(line: str) -> bool:
    """Whether a line says to install something that is neither ours, by name or from a folder, nor known here."""
    for what in INSTALLING.findall(line):
        names = [word.strip("'\"").partition("[")[0] for word in OPTIONS.sub("", what).split()]
        first = names[0] if names else "."
        if "jaipur" in names or (first not in {"jaipur-game", *BESIDES} and not first.startswith((".", "/"))):
            return True
    return False


def test_nobody_is_told_to_install_a_distribution_of_another_name() -> None:
    """On the package index, jaipur is somebody else's."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [path for name in listed.split("\0") if (path := ROOT / name).is_file()]
    lines = [line for path in paths for line in path.read_text(encoding="utf-8", errors="ignore").splitlines()]
    assert sum(bool(INSTALLING.search(line)) for line in lines) > 10
    assert [line for line in lines if misleads(line)] == []


def test_constraints_are_names_and_versions_and_name_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {normal(line) for line in lines if not line.startswith("#")}
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in lines if not line.startswith("#"))
    wanted = [
        *PROJECT["dependencies"],
        *(name for extra in PROJECT["optional-dependencies"].values() for name in extra),
    ]
    assert {normal(line) for line in wanted} - {PROJECT["name"]} <= pins


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_page_that_ships_is_the_one_of_the_docs(language: str) -> None:
    shipped = ROOT / "src" / "jaipur" / "language" / "texts" / f"rules.{language}.md"
    page = "rules.md" if language == "en" else f"rules.{language}.md"
    assert not shipped.is_symlink()
    assert shipped.read_text(encoding="utf-8") == (ROOT / "docs" / page).read_text(encoding="utf-8")
