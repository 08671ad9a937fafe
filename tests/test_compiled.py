"""The compiled core and the plain Python one are the same rulebook."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import jaipur
from tests.support.digest import digest
from tests.support.review_digest import review_digest

pytestmark = pytest.mark.slow

PACKAGE = Path(jaipur.__file__).parent
PROJECT = Path(__file__).parent.parent
PROGRAM = "import jaipur; from {module} import {name}; print(jaipur.COMPILED, jaipur.__file__, {name}())"


@pytest.fixture
def interpreted(tmp_path: Path) -> Path:
    """A folder with the package as plain Python: the same sources without the binaries."""
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "jaipur", symlinks=True, ignore=ignored)
    return tmp_path


@pytest.mark.skipif(not jaipur.COMPILED, reason="the core is not compiled here, so there are no two cores to compare")
@pytest.mark.parametrize("compiled_digest", [digest, review_digest])
def test_the_compiled_core_plays_and_reviews_as_the_interpreted_one(
    interpreted: Path, compiled_digest: Callable[[], str]
) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(interpreted), str(PROJECT)])}
    program = PROGRAM.format(module=compiled_digest.__module__, name=compiled_digest.__name__)
    command = [sys.executable, "-B", "-c", program]
    run = subprocess.run(command, env=environment, cwd=interpreted, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    compiled, where, found = run.stdout.split()
    assert (compiled, Path(where).parent) == ("False", interpreted / "jaipur")
    assert found == compiled_digest()


def test_the_digest_sees_a_single_other_round() -> None:
    """Shows that the test above can fail: one more round or match makes another digest."""
    assert digest(2, 0) == digest(2, 0)
    assert len({digest(2, 0), digest(3, 0), digest(2, 1)}) == 3
