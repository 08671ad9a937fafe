"""A game at the keyboard: two people, or one against a bot."""

import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from jaipur.bots import DEFAULT_BUDGET, LEVELS, Budget, make_player
from jaipur.bots.levels import shipped_vizier
from jaipur.language import _, ngettext
from jaipur.language.phrases import read_command, read_move
from jaipur.language.texts import rules_text
from jaipur.language.vocabulary import Command
from jaipur.language.words import choice_in_words, move_in_words
from jaipur.match import Match
from jaipur.record import Record, bot_of
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move, from_code
from jaipur.rules.rng import Rng
from jaipur.rules.view import View
from jaipur.tui.board import score_sheet, view_board
from jaipur.tui.fitting import Prose
from jaipur.tui.players import Players

_HINTS = 5
_RULE = 4
"""The columns that a ruled line needs besides the title."""
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen, then the scrollback (where some terminals move a cleared screen), and goes to the top left."""


class Quit(Exception):
    """The player leaves the game."""


class SharedScreen:
    """Remembers whether a hand may be on the screen, and clears it."""

    def __init__(self, console: Console, exposed: bool) -> None:
        self.console = console
        self.exposed = exposed

    @property
    def clearable(self) -> bool:
        """False for a pipe, a file or a dumb terminal: they keep everything written to them."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def hide(self) -> None:
        """Clears a hand that the other player must not see. A dumb terminal can only be scrolled by a screenful."""
        if not self.exposed:
            return
        self.exposed = False
        if self.console.legacy_windows:
            self.console.clear()
        elif self.clearable:
            self.console.file.write(_CLEAR)
            self.console.file.flush()
        elif self.console.is_terminal:
            self.console.print("\n" * self.console.height)


class TerminalGame:
    """One match at one keyboard, saved to its file after every move."""

    def __init__(self, record: Record, path: Path, console: Console, budget: Budget = DEFAULT_BUDGET) -> None:
        self.record = record
        self.path = path
        self.console = console
        self.budget = budget
        self.bots = {
            seat: make_player(bot) for seat, name in enumerate(record.players) if (bot := bot_of(name)) is not None
        }
        self.players = Players(record)
        # A hand from an earlier session may still be on the screen.
        self.screen = SharedScreen(console, exposed=self.players.people_only and self.match.ply > 0)
        self.rng = Rng(secrets.randbits(64))
        self.hinted = False

    @property
    def match(self) -> Match:
        """The match being played."""
        return self.record.match

    def run(self) -> None:
        """Plays until the match is over; raises `Quit`, `EOFError` or `KeyboardInterrupt` when the player leaves."""
        self._open()
        while True:
            if self.match.round.over:
                self.console.print()
                self.console.print(score_sheet(self.match.round.score(), self.players))
                if self.match.over:
                    return self._end_match()
                self._ask(_("Press Enter for the next round."))
                self.match.next_round()
            seat = self.match.round.turn
            if seat in self.bots:
                self._play(self.bots[seat].choose(self.match.round.view(seat), self.budget, self.rng))
            else:
                self._person_turn(seat)

    def leave(self) -> None:
        """Clears the hand from the screen and says how to come back."""
        self.screen.hide()
        if self.path.exists():
            self._say_whole(_("The game is saved in {path}."), path=self.path)
            self._say(_("Resume it with: jaipur play"))

    def _open(self) -> None:
        self.screen.hide()
        for bot in self.players.bots:
            if bot is not None:
                self._say(_("{name}: {line}"), name=LEVELS[bot].shown_title, line=LEVELS[bot].shown_character)
        self._say(_("The deck is fixed. SHA-256 of its seed: {commitment}"), commitment=self.match.commitment)
        if self.players.people_only and not self.screen.clearable:
            self._say(_("This screen cannot be cleared: what one player sees stays there for the other."))

    def _person_turn(self, seat: int) -> None:
        if self.players.people_only:
            self.screen.hide()
            self._ask(
                _("{name}, it is your turn: press Enter when only you can see the screen.").format(
                    name=self.players.shown[seat]
                )
            )
        view = self.match.round.view(seat)
        self._show(view)
        ply = self.match.ply
        while self.match.ply == ply and self.match.round.turn == seat:
            self._answer(self._ask(_("Your move (? lists them, help, quit): ")), view)

    def _show(self, view: View) -> None:
        self.screen.exposed = self.players.people_only
        number = _("Round {number}").format(number=len(self.match.rounds))
        title = Text(f"{number} · {self.players.seals(self.match.seals)}")
        self.console.print()
        if len(title) + _RULE <= self.console.width:
            self.console.rule(title, align="left")
        else:
            self.console.print(title)
        self.console.print(view_board(view, self.players.shown))

    def _answer(self, text: str, view: View) -> None:
        """Plays a move or obeys a command; if something is wrong, says so in one sentence."""
        word, _space, rest = text.strip().partition(" ")
        try:
            match read_command(word):
                case Command.MOVES:
                    self._list([(str(move), choice_in_words(view, move)) for move in view.legal_moves()])
                case Command.HELP:
                    self._help()
                case Command.HINT:
                    self._hint(view)
                case Command.UNDO:
                    self._undo()
                case Command.SAVE:
                    self._save_as(rest.strip())
                case Command.RULES:
                    self.console.print(Markdown(rules_text()))
                case Command.QUIT:
                    raise Quit
                case _ if word:
                    self._play(read_move(text, view))
        except JaipurError as error:
            self._print(Text(error.text(_), "yellow"))

    def _play(self, move: Move) -> None:
        seat = self.match.round.turn
        self.match.play(move)
        self.hinted = False
        self.screen.hide()
        self._print(Text.assemble(self.players.deed(seat, move), ".", (f"  {move}", "dim")))
        self.record.save(self.path)

    def _hint(self, view: View) -> None:
        """Shows the best moves with their chance of winning the round, as the strongest player sees it."""
        if self.players.people_only:
            raise JaipurError(N_("Hints are for games against bots."))
        if not self.hinted:  # it counts once per position, and before it is shown
            first, second = (number + (seat == view.seat) for seat, number in enumerate(self.record.hints))
            self.record.hints, self.hinted = (first, second), True
            self.record.save(self.path)
        search = shipped_vizier().think(view, self.budget, self.rng)
        rows = []
        for candidate in sorted(search.live, key=lambda candidate: candidate.value, reverse=True)[:_HINTS]:
            move = from_code(candidate.code)
            chance = f"{100 * candidate.value:3.0f}% ±{100 * candidate.error:.0f}"
            rows.append((chance, str(move), move_in_words(move)))
        self._say(
            ngettext(
                "The best move with your chance of winning the round, as the Vizier estimates it; ± is the usual "
                "error of the estimate, in percentage points.",
                "The best moves with your chance of winning the round, as the Vizier estimates it; ± is the usual "
                "error of the estimate, in percentage points.",
                len(rows),
            )
        )
        self._list(rows)

    def _list(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Prints columns for a person; for a program, one line per row, however long."""
        if not self.console.is_terminal:
            return self._print(Text("\n".join("  ".join(row) for row in rows)))
        grid = Table.grid(padding=(0, 2))
        for *cells, words in rows:
            grid.add_row(*(Text(cell, no_wrap=True) for cell in cells), Text(words))
        return self.console.print(grid)

    def _help(self) -> None:
        self._say(_("A move: +D takes a diamond, +M the camels, +DG-LM takes two and gives two, -LLL sells."))
        self._say(_("Or in words, with names or letters: take gold, sell 3 leather, sell L, take DG give LM."))
        self._say(_("Letters: D diamond, G gold, S silver, C cloth, P spice, L leather, M camel."))
        self._say(
            _("Commands: ? (all legal moves), hint, undo, save FILE, rules, quit. The game is saved after every move.")
        )

    def _undo(self) -> None:
        """Goes back to before the last move made by a person."""
        for ply in range(self.match.ply - 1, -1, -1):
            before = self.match.until(ply)
            if not before.round.over and before.round.turn not in self.bots:
                self.record.match = before
                self.hinted = False
                self.screen.hide()
                self.record.save(self.path)
                return self._say(_("Taken back."))
        return self._say(_("There is nothing to take back."))

    def _save_as(self, name: str) -> None:
        path = Path(name).expanduser() if name else self.path
        self.record.save(path)
        self._say_whole(_("Saved: {path}"), path=path)

    def _end_match(self) -> None:
        winner = self.match.winner
        if winner is not None:
            self._say(self.players.wins(winner))
        self._say_whole(_("Seed: {seed}"), seed=self.match.seed.hex())
        self._say_whole(_("The shuffle can be checked: jaipur verify {path}"), path=shlex.quote(str(self.path)))

    def _ask(self, prompt: str) -> str:
        return self.console.input(Text(prompt))

    def _say(self, sentence: str, **blanks: object) -> None:
        self._print(Prose(sentence.format(**blanks)))

    def _say_whole(self, sentence: str, **blanks: object) -> None:
        """Prints without breaking lines, so that a path or a seed can be copied."""
        self.console.print(Text(sentence.format(**blanks)), soft_wrap=True)

    def _print(self, text: RenderableType) -> None:
        """Wraps lines at words for a person, and not at all for a program."""
        self.console.print(text, soft_wrap=not self.console.is_terminal)
