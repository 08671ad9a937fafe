"""The game in the terminal, as a person experiences it: real processes, real files."""

import io
import re
import shlex
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from rich.console import Console
from typer.core import TyperGroup
from typer.main import get_command

from jaipur import Match, Record
from jaipur.bots import LEVELS
from jaipur.cli.commands import app
from jaipur.language import LANGUAGES
from jaipur.tui.game import TerminalGame
from tests.support.terminal import QUESTIONS, Keyboard, jaipur

pytestmark = pytest.mark.slow

SEED = "11" * 32


def only_record(games: Path) -> Record:
    (path,) = games.iterdir()
    return Record.load(path)


def play_to_the_end(game: Keyboard) -> None:
    shown = game.read()
    while shown.endswith(QUESTIONS):
        shown = game.say(game.legal_moves()[-1]) if shown.endswith("quit): ") else game.say("")


def test_a_whole_match_against_the_trader(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    play_to_the_end(game)
    assert game.close() == 0
    record = only_record(tmp_path)
    assert record.match.over
    assert f"Seed: {SEED}" in game.output
    assert "wins the match" in game.output
    assert f"SHA-256 of its seed: {record.match.commitment}" in game.output


def test_two_people_at_one_keyboard_never_see_the_other_hand(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "human", "--seed", SEED)
    for _turn in range(6):
        game.read() if not game.output else None
        shown = game.say("")
        hidden = [line for line in shown.splitlines() if "[?]" in line]
        assert len(hidden) == 1
        game.say(game.legal_moves()[0])
    assert game.close() == 0
    assert only_record(tmp_path).match.ply == 6


def test_words_are_moves_and_mistakes_are_explained(tmp_path: Path) -> None:
    shown = jaipur(
        "play", "human", "--seed", "00" * 32, games=tmp_path, text="\nsell gold\nfly\n+DD\nsell 9 gold\ntake camels\n"
    ).stdout
    assert "You have no gold in your hand (R14)." in shown
    assert "“fly” is not a move" in shown
    assert "(R8, R10)" in shown
    assert "“sell 9 gold” names more than 7 cards of one kind: no move has so many." in shown
    assert only_record(tmp_path).match.ply == 1


def test_undo_goes_back_to_the_last_decision_of_the_person(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    game.read()
    start = only_record(tmp_path).match.ply if list(tmp_path.iterdir()) else 0
    game.say(game.legal_moves()[0])
    assert only_record(tmp_path).match.ply == start + 2
    assert "Taken back." in game.say("undo")
    assert only_record(tmp_path).match.ply == start
    assert "nothing to take back" in game.say("undo")
    game.close()


def test_save_writes_a_copy_and_says_why_it_cannot(tmp_path: Path) -> None:
    copy = tmp_path / "copy.jaipur"
    games = tmp_path / "games"
    shown = jaipur("play", "human", games=games, text=f"\nsave {copy}\nsave {tmp_path}/no/where\nquit\n").stdout
    assert Record.load(copy).result == "*"
    assert "cannot be written: No such file or directory." in shown


def test_an_interrupted_game_is_continued(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    game.read()
    game.say(game.legal_moves()[0])
    game.process.send_signal(signal.SIGINT)
    game.read()
    assert game.close() == 130
    assert "The game is saved" in game.output
    ply = only_record(tmp_path).match.ply
    again = Keyboard(tmp_path)
    named = again.read()
    assert "You have an unfinished match against the Trader (20" in named
    assert "round 1, You ○○ · Trader ○○, your turn." in named
    assert "Continue it? [Y/n]" in named
    again.say("")
    again.say(again.legal_moves()[0])
    again.close()
    assert only_record(tmp_path).match.ply == ply + 2


def test_a_match_does_not_take_the_place_of_the_opponent_that_was_asked_for(tmp_path: Path) -> None:
    jaipur("play", "--new", games=tmp_path, text="take camels\nsell l\n+G\nquit\n")
    (old,) = tmp_path.iterdir()
    assert "Continue it? [Y/n]" in jaipur("play", "trader", games=tmp_path, text="\nquit\n").stdout
    yes = jaipur("play", "vizier", games=tmp_path, text="y\nquit\n").stdout
    assert "Continue it instead of a new match against the Vizier? [y/N]" in yes
    assert "Trader: Sensible" in yes
    for answer in ("", "n"):
        shown = jaipur("play", "vizier", games=tmp_path, text=f"{answer}\nquit\n").stdout
        assert "Vizier: Thinks ahead" in shown
        assert f"It stays saved: jaipur play --from {old}" in shown
        for path in {*tmp_path.iterdir()} - {old}:
            path.unlink()  # the vizier may have had the first move
    assert "instead of a new match for two? [y/N]" in jaipur("play", "human", games=tmp_path, text="\n").stdout
    assert "La reprendre\u00a0? [O/n]" in jaipur("play", "--lang", "fr", games=tmp_path, text="n\n").stdout


def test_a_seed_may_be_a_whole_number(tmp_path: Path) -> None:
    jaipur("play", "human", "--seed", "12", games=tmp_path, text="\n+M\n")
    assert only_record(tmp_path).match.seed == Match(12).seed


def test_a_command_with_a_path_can_be_pasted(tmp_path: Path) -> None:
    games = tmp_path / "my games"
    jaipur("play", "human", "--seed", "12", games=games, text="\n+M\n")
    shown = jaipur("play", games=games, text="n\nquit\n").stdout
    told = next(line for line in shown.splitlines() if "It stays saved: " in line)
    assert shlex.split(told.partition("jaipur ")[2]) == ["play", "--from", str(next(games.glob("*-1.jaipur")))]


def test_what_you_did_is_said_to_you(tmp_path: Path) -> None:
    shown = jaipur("play", "pedlar", "--seed", "00" * 32, games=tmp_path, text="take camels\ntake g\n").stdout
    assert "You take the camels." in shown
    assert "You takes" not in shown
    assert only_record(tmp_path).players == ("", "bot:pedlar")


COMMANDS = cast(TyperGroup, get_command(app)).commands
ENGLISH = {"Usage", "Commands", "Show", "this", "and", "exit", "required", "default", "the", "for", "of", "to", "bool"}
ENGLISH |= {"SECONDS", "contender", "target", "HOST"}


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_a_help_page_is_in_one_language(tmp_path: Path, command: str) -> None:
    french = jaipur(*command.split(), "--help", "--lang", "fr", games=tmp_path).stdout
    english = jaipur(*command.split(), "--help", games=tmp_path).stdout
    assert "Utilisation\u00a0: " in french
    assert "Affiche cette page et quitte." in french
    words = re.sub(r"--[\w-]+", "", french)  # the names of options are the same in every language
    assert not ENGLISH & set(re.findall(r"\w+", words))
    assert "Usage: " in english
    assert "Show this page and exit." in english
    assert not set("éèàêçô") & set(english)


def test_a_hint_shows_the_best_moves_with_their_chances(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    game.read()
    legal = game.legal_moves()
    shown = game.say("hint")
    hints = [line.split() for line in shown.splitlines() if "%" in line]
    game.close()
    assert "your chance of winning the round" in shown
    assert "± is the usual error" in shown
    assert hints
    assert all(0 <= int(chance.removesuffix("%")) <= 100 for chance, *_words in hints)
    assert all(set(words) & set(legal) for words in hints)


@pytest.mark.parametrize(("number", "words"), [(1, "The best move with"), (2, "The best moves with")])
def test_a_hint_counts_its_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str) -> None:
    match = Match(1)
    live = [SimpleNamespace(code=move.code, value=0.5, error=0.1) for move in match.round.legal_moves()[:number]]
    vizier = SimpleNamespace(think=lambda *_asked: SimpleNamespace(live=live))
    monkeypatch.setattr("jaipur.tui.game.shipped_vizier", lambda: vizier)
    shown = Console(file=io.StringIO())
    game = TerminalGame(Record(match, ("Ann", "bot:trader")), tmp_path / "match.jaipur", shown)
    game._hint(match.round.view(match.round.turn))
    assert isinstance(shown.file, io.StringIO)
    assert shown.file.getvalue().startswith(words)


def test_a_game_with_hints_is_marked_once_for_each_position(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    game.read()
    game.say("hint")
    game.say("hint")
    assert only_record(tmp_path).hints == (1, 0)
    game.say(game.legal_moves()[0])
    game.say("hint")
    game.close()
    assert "\nHints: 2-0\n" in str(only_record(tmp_path))


def test_between_people_there_is_no_hint(tmp_path: Path) -> None:
    shown = jaipur("play", "human", "--seed", SEED, games=tmp_path, text="\nhint\n+M\n").stdout
    assert "Hints are for games against bots." in shown
    assert "chance of winning" not in shown
    assert only_record(tmp_path).hints == (0, 0)


def test_the_end_of_the_input_keeps_the_game(tmp_path: Path) -> None:
    done = jaipur("play", "human", "--seed", "00" * 32, games=tmp_path, text="\n+M\n")
    assert done.returncode == 0
    assert "The game is saved" in done.stdout
    assert not done.stderr


def test_french_is_spoken_throughout(tmp_path: Path) -> None:
    shown = jaipur("play", "--lang", "fr", games=tmp_path, text="vendre 2 chameaux\naide\nquitter\n").stdout
    assert "Les chameaux ne se vendent pas (R14)." in shown
    assert "Votre coup" in shown
    assert "Commandes\u00a0:" in shown
    assert "Marchande" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["play", "nobody"],
            f"There is no opponent “nobody”: choose {', '.join(LEVELS)}, human.",
        ),
        (["play", "--seed", "twelve"], "A seed is 64 hex digits or a whole number, not “twelve”."),
        (["play", "--seed", "-1"], "A seed is 64 hex digits or a whole number, not “-1”."),
        (["play", "--seed", "1" * 65], "A seed is 64 hex digits or a whole number"),
        (
            ["play", "human", "--name", "bot:vizier"],
            "A name that begins with “bot:” stands for a program: choose another one.",
        ),
        (["play", "vizier", "--think", "0"], "A budget is a number of seconds above 0, at most 3600."),
        (["play", "vizier", "--think", "nan"], "A budget is a number of seconds above 0, at most 3600."),
        (["play", "--from", "missing.jaipur"], "missing.jaipur cannot be read: No such file or directory."),
        (["verify", "."], ". cannot be read: Is a directory."),
        (["replay", "missing.jaipur"], "missing.jaipur cannot be read"),
        (["verify", "README.md"], "Line 3: The header “Jaipur-Record:” belongs here."),
        (["--lang", "xx", "rules"], f"--lang takes one of: {', '.join(LANGUAGES)}."),
        (["rules", "--lang"], f"--lang takes one of: {', '.join(LANGUAGES)}."),
    ],
)
def test_bad_input_gets_one_clear_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    done = jaipur(*arguments, games=tmp_path)
    assert done.returncode in (1, 2)
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_games_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = jaipur("play", games=blocked / "games", text="quit\n")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr


def test_a_finished_match_is_not_continued(tmp_path: Path) -> None:
    match = Match(3)
    while not match.over:
        if match.round.over:
            match.next_round()
        match.play(match.round.legal_moves()[0])
    path = tmp_path / "done.jaipur"
    Record(match, ("a", "bot:trader")).save(path)
    done = jaipur("play", "--from", str(path), games=tmp_path)
    assert "This match is over." in done.stderr
