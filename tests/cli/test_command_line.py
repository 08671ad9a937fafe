"""What all commands share: output, exit, and what they say about a command line that they do not accept."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.terminal import environment, jaipur

INTERRUPTED = """
import sys

class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "jaipur.cli.commands":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatient())
from jaipur.cli import main
main()
"""


def with_output(tmp_path: Path, redirected: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command with its output redirected by a shell."""
    words = " ".join([sys.executable, "-m", "jaipur", *arguments, redirected])
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", words], capture_output=True, text=True, env=environment(tmp_path), check=False
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
@pytest.mark.parametrize("command", ["--version", "rules", "duel trader random --rounds 2 --workers 1 --json"])
def test_a_full_disk_is_said(tmp_path: Path, command: str) -> None:
    done = with_output(tmp_path, ">/dev/full", command)
    assert (done.returncode, done.stderr) == (1, "The output cannot be written: No space left on device.\n")


def test_a_closed_output_is_said(tmp_path: Path) -> None:
    done = with_output(tmp_path, ">&-", "--version")
    assert (done.returncode, done.stderr) == (1, "The output cannot be written: it is closed.\n")


@pytest.mark.parametrize("command", ["--version", "rules"])
def test_whoever_stops_reading_hears_nothing(tmp_path: Path, command: str) -> None:
    done = with_output(tmp_path, "| true", command)
    assert done.returncode in {0, 1}  # 0 if everything was written before the other end closed
    assert done.stderr == ""


def test_ctrl_c_while_a_command_is_loaded_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INTERRUPTED, "rules"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path), check=False)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


@pytest.mark.parametrize(
    ("arguments", "english", "french"),
    [
        ("duel trader", "The argument “second” is missing", "L’argument « second » manque"),
        ("replay x --ply x", "--ply takes a whole number.", "--ply prend un nombre entier."),
        ("duel a b --rounds 1", "--rounds takes a whole number, at least 2.", "--rounds prend un nombre entier d’au"),
        ("serve --port 99999", "takes a whole number from 0 to 65535.", "prend un nombre entier de 0 à 65535."),
        ("play --think soon", "--think takes a number.", "--think prend un nombre."),
        ("serve --rate nan", "--rate takes a number, at least 0.", "--rate prend un nombre d’au moins 0."),
        ("bench --seconds nan", "takes a number from 0.01 to 7200.", "prend un nombre de 0.01 à 7200."),
        ("duel a b --sprt x y", "--sprt takes two numbers.", "--sprt prend deux nombres."),
        ("duel a b --sprt 1", "--sprt takes two numbers.", "--sprt prend deux nombres."),
        ("duel a b --rounds", "--rounds needs a value.", "--rounds demande une valeur."),
        ("duel a b --json=yes", "--json takes no value.", "--json ne prend pas de valeur."),
        ("duel a b --zzz", "There is no option --zzz: see", "Il n’y a pas d’option --zzz : voir"),
        ("duel a b --round 2", "--round: did you mean --rounds?", "--round : vouliez-vous dire --rounds ?"),
        ("duel a b c", "There are too many arguments: see", "Il y a trop d’arguments : voir"),
        ("dual", "There is no command “dual”: see", "Il n’y a pas de commande « dual » : voir"),
        ("games dual", "There is no command “dual”: see", "Il n’y a pas de commande « dual » :"),
    ],
)
def test_a_command_line_that_is_not_taken_gets_one_sentence_in_either_language(
    tmp_path: Path, arguments: str, english: str, french: str
) -> None:
    for language, sentence in (("en", english), ("fr", french)):
        done = jaipur(*arguments.split(), "--lang", language, games=tmp_path)
        assert done.returncode == 2
        assert sentence.replace("\u00a0", " ") in done.stderr.replace("\u00a0", " ")
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
