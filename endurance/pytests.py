"""The parts that are runs of pytest: the slow suites, and the usual tests with coverage."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from endurance import ROOT

_REPORT = ROOT / "build" / "coverage"
_INTERPRETED = ROOT / "build" / "interpreted"
_COMPILED = ("rules", "brain", "encoding")
_OF_COMPILED = ("tests/rules", "tests/brain", "tests/envs")
"""The tests that are about them; those of the environments are about the encoding."""
_GUARDED = ("--timeout=1800", "-o", "faulthandler_timeout=1790")
"""After how many seconds a test hangs: slow ones take longer than pyproject.toml allows."""


def measure(_seconds: float) -> dict[str, object]:
    """The slow suites."""
    return dict(run("endurance/suites"))


def thorough(_seconds: float) -> dict[str, object]:
    """The tests on each kind of database, with more of everything that is tried at random."""
    return dict(run("tests", "--thorough", "--ignore=tests/browser"))


def coverage(_seconds: float) -> dict[str, object]:
    """The tests of `make test`, and how many per cent of the lines of each room they reach.

    The lines of a compiled room cannot be seen: its own tests run again on a copy of the sources without binaries.
    """
    shutil.rmtree(_INTERPRETED, ignore_errors=True)
    binaries = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "src", _INTERPRETED, ignore=binaries)
    figures = run("tests", *_measured("all"))
    again = run(*_OF_COMPILED, *_measured("compiled"), sources=_INTERPRETED)
    per_cent = _per_cent("all") | {room: of for room, of in _per_cent("compiled").items() if room in _COMPILED}
    return {name: figures[name] + again[name] for name in figures} | {
        f"per_cent_of_{room}": reached for room, reached in per_cent.items()
    }


def _measured(what: str) -> tuple[str, ...]:
    return ("--cov", f"--cov-report=html:{_REPORT / what}", f"--cov-report=json:{_REPORT / what}.json")


def _per_cent(what: str) -> dict[str, float]:
    rooms: dict[str, list[int]] = {}
    for file, found in json.loads((_REPORT / f"{what}.json").read_text(encoding="utf-8"))["files"].items():
        inside = Path(file).parts
        room = rooms.setdefault(inside[inside.index("jaipur") + 1].removesuffix(".py"), [0, 0])
        room[0] += found["summary"]["covered_lines"]
        room[1] += found["summary"]["num_statements"]
    return {room: 100 * reached / max(of, 1) for room, (reached, of) in rooms.items()}


def run(*arguments: str, sources: Path = ROOT / "src") -> dict[str, int]:
    """Runs pytest, which shows its progress, and counts its results."""
    environment = os.environ | {"PYTHONPATH": str(sources)}
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        command = [sys.executable, "-m", "pytest", "-q", *_GUARDED, f"--junitxml={report.name}", *arguments]
        subprocess.run(command, cwd=ROOT, env=environment, check=False)
        (suite,) = ET.parse(report.name).getroot().iter("testsuite")
    tests, failures, errors, skipped = (int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped"))
    failed = failures + errors
    return {"passed": tests - failed - skipped, "failed": failed, "skipped": skipped}
