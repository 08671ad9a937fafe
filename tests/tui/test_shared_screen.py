"""Two people at one terminal: nobody can read what they may not know, even by scrolling up (R18 to R21)."""

import io
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from jaipur import Match, Record
from jaipur.rules.view import View
from jaipur.tui.board import score_sheet, view_board
from jaipur.tui.game import TerminalGame
from jaipur.tui.players import Players
from tests.support.digest import random_match
from tests.support.effort import often
from tests.support.other_secrets import other_round
from tests.support.screen import Screen
from tests.support.terminal import Terminal

SEED = "11" * 32
COLUMNS = 70
NAMES = ("Player 1", "Player 2")
NOBODY = Players(Record(Match(0)))


def drawn(shown: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=COLUMNS)
    with console.capture() as capture:
        console.print(shown)
    return capture.get()


def handed_over(seat: int) -> str:
    return f"{NAMES[seat]}, it is your turn: press Enter when only you can see the screen."


def board(match: Match, view: View) -> str:
    seals = " · ".join(f"{name} {'●' * n}{'○' * (2 - n)}" for name, n in zip(NAMES, match.seals, strict=True))
    return (
        f"Round {len(match.rounds)} · {seals} {drawn(view_board(view, NAMES))} Your move (? lists them, help, quit): "
    )


def last_deed(match: Match) -> str:
    """What everybody saw: the last move, and the score sheet if it ended a round."""
    seat, move = 1 - match.round.turn, match.round.moves[-1]
    sheet = drawn(score_sheet(match.round.score(), NOBODY)) if match.round.over else ""
    return f"{NOBODY.deed(seat, move)}. {move} {sheet}"


def decision_before(match: Match) -> Match:
    before = match.until(match.ply - 1)
    return decision_before(before) if before.round.over else before


def words(*texts: str) -> list[str]:
    """The words, without the lines drawn between them."""
    return [word for word in " ".join(texts).split() if word.strip("─")]


def seen(terminal: Terminal) -> list[str]:
    return words(terminal.screen.text)


def test_a_whole_match_shows_each_seat_its_own_view_and_nothing_else(tmp_path: Path) -> None:
    """With lists of moves, refused moves and moves taken back in between; every screen is compared word by word."""
    chance = random.Random(3)
    terminal = Terminal(tmp_path, "human", "--seed", SEED)
    terminal.read()
    match, public = Match(SEED), seen(terminal)
    taken_back = 0
    while True:
        turn = match.round.turn
        terminal.say("")
        public += words(board(match, match.round.view(turn)))
        assert seen(terminal) == public
        for noise in chance.choices(["?", "-MM", "help", "sell x"], k=2):
            terminal.say(noise)
        if chance.random() < 0.1 and match.ply:
            terminal.say("undo")
            match = decision_before(match)
            taken_back += 1
            public = words("Taken back.", handed_over(match.round.turn))
        else:
            move = chance.choice(match.round.legal_moves())
            terminal.say(str(move))
            match.play(move)
            public = words(last_deed(match))
            if match.over:
                break
            if match.round.over:
                public += words("Press Enter for the next round.")
                assert seen(terminal) == public
                terminal.say("")
                match.next_round()
            public += words(handed_over(match.round.turn))
        assert seen(terminal) == public
    assert taken_back
    assert match.winner is not None
    (path,) = tmp_path.iterdir()
    check = f"The shuffle can be checked: jaipur verify {path}"
    public += words(f"{NAMES[match.winner]} wins the match! Seed: {SEED}", check)
    assert "".join(seen(terminal)) == "".join(public)  # joined, since the path is longer than a line
    assert Record.load(path).match == match
    assert terminal.close() == 0


@pytest.mark.parametrize("keys", ["quit\n", "\x04", "\x03"], ids=["quit", "end of input", "Ctrl-C"])
def test_whoever_leaves_takes_the_hand_along(tmp_path: Path, keys: str) -> None:
    terminal = Terminal(tmp_path, "human", "--seed", SEED)
    terminal.read()
    terminal.say("")
    terminal.say("+M")
    terminal.say("")
    assert "[" in terminal.screen.text
    terminal.press(keys)
    assert terminal.screen.text.startswith("The game is saved in ")
    assert "[" not in terminal.screen.text
    assert terminal.close() == (130 if keys == "\x03" else 0)


def test_the_hand_that_a_killed_session_left_is_gone_when_the_match_goes_on(tmp_path: Path) -> None:
    first = Terminal(tmp_path, "human", "--seed", SEED)
    first.read()
    first.say("")
    first.say("+M")
    first.say("")
    first.process.send_signal(signal.SIGKILL)
    first.close()
    assert "[" in first.screen.text
    first.screen.write("\n")
    second = Terminal(tmp_path, screen=first.screen)
    second.read()
    second.say("")
    assert "[" not in second.screen.text
    second.close()


def screens(match: Match, lines: list[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What can be read on the screen each time the game waits for a line."""
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=COLUMNS, _environ={"TERM": "xterm"})
    found: list[str] = []
    left: Iterator[str] = iter(lines)

    def answer() -> str:
        screen = Screen(COLUMNS, 24)
        screen.write(output.getvalue())
        found.append(screen.text)
        line = next(left, None)
        if line is None:
            raise EOFError
        output.write(line + "\n")
        return line

    monkeypatch.setattr("builtins.input", answer)
    with pytest.raises(EOFError):
        TerminalGame(Record(match), path, console).run()
    return found


def twin_of(match: Match, seat: int, chance: random.Random) -> Match:
    """The same match as far as this seat can tell, with other secrets."""
    twin = match.copy()
    deal = match.deal(len(match.rounds), match.round.starter)
    twin.rounds[-1] = other_round(deal, match.round, seat, chance, 5)
    return twin


def test_secrets_change_no_letter_that_the_other_player_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    different = 0
    for number in range(often(20, 60)):
        chance = random.Random(number)
        match = random_match(number, chance.randrange(2, 100))
        while match.round.over:
            match = match.until(match.ply - 1)
        mover = match.round.turn
        twin = twin_of(match, 1 - mover, chance)
        moves = [move for move in match.round.legal_moves() if move in twin.round.legal_moves()]
        move = chance.choice(moves)
        lines = ["", "?", "-LLLLLLL", str(move), "", "?", "+DDDDD", "undo", ""]
        one = screens(match.copy(), lines, tmp_path / "one.jaipur", monkeypatch)
        other = screens(twin.copy(), lines, tmp_path / "one.jaipur", monkeypatch)
        different += one[1:4] != other[1:4]
        assert one[4:8] == other[4:8]
    assert different > 8  # often the other player knows the whole hand


def test_a_pipe_says_once_that_it_cannot_be_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(file=io.StringIO(), width=COLUMNS)
    monkeypatch.setattr("builtins.input", lambda: next(iter(())))
    with console.capture() as capture, pytest.raises(StopIteration):
        TerminalGame(Record(Match(0)), tmp_path / "x.jaipur", console).run()
    assert capture.get().count("This screen cannot be cleared") == 1
    assert "\x1b" not in capture.get()
