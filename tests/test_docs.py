"""What the docs show is true: examples run, commands exist, links lead somewhere."""

import ast
import doctest
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from tools.catalogue import ROOT

import jaipur
from jaipur import bots, envs
from jaipur.bots import LEVELS, Budget, Clock
from jaipur.bots.protocol import question
from jaipur.notation import parse_view
from tests.support.digest import random_match
from tests.support.serving import serving
from tests.support.terminal import jaipur as command

pytestmark = pytest.mark.slow

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
COMMANDS = re.findall(r"^\$ jaipur (.*?)\s*(?:#.*)?$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_of_the_api_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False, encoding="utf-8")
    assert tried > 20
    assert not failed


PUBLIC = {"jaipur": jaipur.__all__, "jaipur.bots": bots.__all__, "jaipur.envs": envs.__all__}
ENVIRONMENTS = ("jaipur_v0", "spiel")
"""Modules of the environments that are imported by name, as PettingZoo and OpenSpiel expect."""


@pytest.mark.parametrize("room", PUBLIC)
def test_every_public_name_is_on_the_api_page(room: str) -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in PUBLIC[room] if not re.search(rf"\b{name}\b", page)] == []


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_the_examples_use_only_public_names(example: Path) -> None:
    for node in ast.walk(ast.parse(example.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert not [name.name for name in node.names if name.name.startswith("jaipur.")]
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jaipur"):
            allowed = {*PUBLIC.get(node.module or "", ()), *ENVIRONMENTS}
            assert {name.name for name in node.names} <= allowed, node.module


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for example in blocks(ROOT / "README.md", "python"):
        exec(example, {})
    assert "Score(" in capsys.readouterr().out


@pytest.mark.parametrize("line", [line for line in COMMANDS if line != "serve"])
def test_the_commands_of_the_readme_run(line: str, tmp_path: Path) -> None:
    record = tmp_path / "match.jaipur"
    jaipur.Record(random_match(3, 1000), ("Ann", "Bob")).save(record)
    arguments = [str(record) if word == "match.jaipur" else word for word in shlex.split(line)]
    quick = {"bench": ["--seconds", "0.01"], "duel": ["--rounds", "4"], "review": ["--worlds", "2"]}.get(
        arguments[0], []
    )
    done = command(*arguments, *quick, games=tmp_path / "games")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_server_of_the_readme_runs_and_the_program_of_its_page_plays(tmp_path: Path) -> None:
    assert "serve" in COMMANDS
    (program,) = blocks(ROOT / "docs" / "server.md", "python")
    with serving(tmp_path, "--pause", "0") as address:
        names: dict[str, Any] = {}
        exec(program.replace("http://localhost:8000", address), names)
        assert names["view"]["winner"] is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text(encoding="utf-8")):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), f"{target}#{anchor}"


def anchors(page: Path) -> list[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "docs").glob("rules*.md")))
def test_the_rules_pages_cite_every_rule(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    cited = {int(number) for number in re.findall(r"R(\d+)", page)}
    assert cited == set(range(1, 27))


def test_the_texts_of_the_records_page_can_be_read() -> None:
    position, record = blocks(ROOT / "docs" / "records.md", "")
    assert parse_view(position.strip()).seat == 0
    assert jaipur.Record.parse(record).players == ("Ann", "bot:trader")


@pytest.mark.parametrize(("language", "program"), [("python", "python3"), ("js", "node")])
def test_the_example_bots_play(language: str, program: str, tmp_path: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    (example,) = blocks(ROOT / "docs" / "bots.md", language)
    path = tmp_path / f"bot.{language}"
    path.write_text(example, encoding="utf-8")
    done = command("duel", f"exec:{program} {path}", "random", "--rounds", "4", "--json", games=tmp_path)
    figures = json.loads(done.stdout)
    assert figures["games"] == 4
    assert figures["forfeits"] == 0


def test_the_question_on_the_bots_page_is_a_real_one() -> None:
    shown = json.loads(blocks(ROOT / "docs" / "bots.md", "json")[0])
    match = jaipur.Match(7)
    real = json.loads(question(match.round.view(0), Budget(seconds=0.1, clock=Clock.PROCESSOR)))
    assert shown["view"] == real["view"]
    assert shown.keys() == real.keys()
    assert shown["budget"] == real["budget"]


def test_every_level_is_on_the_bots_page_with_its_character() -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    for level in LEVELS.values():
        assert f"`{level.name}`" in page
        assert level.character.split(":")[0] in page


ARCHITECTURE = ROOT / "docs" / "architecture.md"
MAPS = (ARCHITECTURE, ROOT / "docs" / "performance.md", ROOT / "CONTRIBUTING.md")
SOURCES = ROOT / "src" / "jaipur"
PATH = re.compile(r"`((?!/)[\w./-]*(?:/|\w\.(?:py|po|js|css|html|md|toml|json|txt|svg|weights))[\w./-]*)`")
MODULE = re.compile(r"`jaipur\.([\w.]+)`")


@pytest.mark.parametrize("page", MAPS, ids=lambda page: page.name)
def test_every_path_and_module_on_the_map_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    modules = [name.replace(".", "/") for name in MODULE.findall(text)]
    named = [re.sub("NAME|CODE", "*", path).rstrip("/") for path in PATH.findall(text)]
    assert [path for path in named if not [*ROOT.glob(path), *SOURCES.glob(path)]] == []
    assert [path for path in modules if not (SOURCES / path).is_dir() and not (SOURCES / f"{path}.py").exists()] == []


def test_every_module_says_first_what_it_holds() -> None:
    silent = []
    for module in SOURCES.rglob("*.py"):
        words = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
        if not re.fullmatch(r".{10,}[.?]", words.partition("\n")[0]):
            silent.append(module)
    assert silent == []


def test_the_architecture_page_stays_a_map() -> None:
    assert len(ARCHITECTURE.read_text(encoding="utf-8").split()) <= 1500
