"""The game in the terminal, as a person meets it: real processes, real files."""

import signal
from pathlib import Path

import pytest

from jaipur import Match, Record
from tests.terminal import Keyboard, jaipur

SEED = "11" * 32


def only_record(games: Path) -> Record:
    (path,) = games.iterdir()
    return Record.load(path)


def play_to_the_end(game: Keyboard) -> None:
    shown = game.read()
    while game.process.poll() is None and shown:
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
    assert "“sell 9 gold” is not understood" in shown
    assert only_record(tmp_path).match.ply == 1


def test_undo_goes_back_to_the_last_decision_of_the_person(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    game.read()
    start = only_record(tmp_path).match.ply if list(tmp_path.iterdir()) else 0
    game.say(game.legal_moves()[0])
    assert only_record(tmp_path).match.ply == start + 2
    assert "One step back." in game.say("undo")
    assert only_record(tmp_path).match.ply == start
    assert "nothing to undo" in game.say("undo")
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
    assert "The game is kept" in game.output
    ply = only_record(tmp_path).match.ply
    again = Keyboard(tmp_path)
    assert "Continue it? [Y/n]" in again.read()
    again.say("")
    again.say(again.legal_moves()[0])
    again.close()
    assert only_record(tmp_path).match.ply == ply + 2


def test_a_killed_game_is_not_lost(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    game.read()
    game.say(game.legal_moves()[0])
    game.process.kill()
    game.close()
    assert only_record(tmp_path).match.ply >= 2


def test_a_hint_shows_the_best_moves_with_their_chances(tmp_path: Path) -> None:
    game = Keyboard(tmp_path, "--seed", SEED)
    game.read()
    legal = game.legal_moves()
    hints = [line.split() for line in game.say("hint").splitlines() if "%" in line]
    game.close()
    assert hints
    assert all(0 <= int(chance.removesuffix("%")) <= 100 for chance, *_words in hints)
    assert all(set(words) & set(legal) for words in hints)


def test_the_end_of_the_input_keeps_the_game(tmp_path: Path) -> None:
    done = jaipur("play", "human", "--seed", "00" * 32, games=tmp_path, text="\n+M\n")
    assert done.returncode == 0
    assert "The game is kept" in done.stdout
    assert not done.stderr


def test_french_is_spoken_throughout(tmp_path: Path) -> None:
    shown = jaipur("play", "--lang", "fr", games=tmp_path, text="vendre 2 chameaux\naide\nquitter\n").stdout
    assert "Les chameaux ne se vendent pas (R14)." in shown
    assert "Votre coup" in shown
    assert "Commandes :" in shown
    assert "Marchande" in shown


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["play", "nobody"],
            "There is no opponent “nobody”: choose random, pedlar, trader, broker, merchant, vizier, human.",
        ),
        (["play", "--seed", "12"], "A seed is 32 bytes, 64 hex digits"),
        (
            ["play", "human", "--name", "bot:vizier"],
            "A name that begins with “bot:” stands for a program: choose another one.",
        ),
        (["play", "--from", "missing.jaipur"], "missing.jaipur cannot be read: No such file or directory."),
        (["verify", "."], ". cannot be read: Is a directory."),
        (["replay", "missing.jaipur"], "missing.jaipur cannot be read"),
        (["verify", "README.md"], "Line 3: A record has the header “Jaipur-Record:” here."),
        (["--lang", "xx", "rules"], "--lang takes one of: en, fr."),
        (["rules", "--lang"], "--lang takes one of: en, fr."),
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
