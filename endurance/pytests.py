"""The parts that are runs of pytest: the slow suites, and the usual tests with coverage."""

import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

from endurance import ROOT

_REPORT = ROOT / "build" / "coverage"
_GUARDED = ("--timeout=1800", "-o", "faulthandler_timeout=1790")
"""After how many seconds a test hangs: slow ones take longer than pyproject.toml allows."""


def measure(_seconds: float) -> dict[str, object]:
    """The slow suites."""
    return run("endurance/suites")


def thorough(_seconds: float) -> dict[str, object]:
    """The tests on each kind of database, with more of everything that is tried at random."""
    return run("tests", "--thorough", "--ignore=tests/browser")


def coverage(_seconds: float) -> dict[str, object]:
    """The tests of `make test`, and how many per cent of the lines of each room they reach."""
    lines = _REPORT / "coverage.json"
    figures = run("tests", "--cov", f"--cov-report=html:{_REPORT}", f"--cov-report=json:{lines}")
    rooms: dict[str, list[int]] = {}
    for file, found in json.loads(lines.read_text(encoding="utf-8"))["files"].items():
        room = rooms.setdefault(Path(file).relative_to("src/jaipur").parts[0].removesuffix(".py"), [0, 0])
        room[0] += found["summary"]["covered_lines"]
        room[1] += found["summary"]["num_statements"]
    return figures | {f"per_cent_of_{room}": 100 * reached / max(of, 1) for room, (reached, of) in rooms.items()}


def run(*arguments: str) -> dict[str, object]:
    """Runs pytest, which shows its progress, and counts its results."""
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        command = [sys.executable, "-m", "pytest", "-q", *_GUARDED, f"--junitxml={report.name}", *arguments]
        subprocess.run(command, cwd=ROOT, check=False)
        (suite,) = ET.parse(report.name).getroot().iter("testsuite")
    tests, failures, errors, skipped = (int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped"))
    failed = failures + errors
    return {"passed": tests - failed - skipped, "failed": failed, "skipped": skipped}
