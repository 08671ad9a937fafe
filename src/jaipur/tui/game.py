"""A game at the keyboard: two people, or one against a bot."""

import secrets
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from jaipur.bots import DEFAULT_BUDGET, LEVELS, make_player
from jaipur.bots.levels import shipped_vizier
from jaipur.core.errors import JaipurError
from jaipur.core.move import Move, from_code
from jaipur.core.rng import Rng
from jaipur.core.view import View
from jaipur.i18n import _
from jaipur.match import Match
from jaipur.record import Record, bot_of
from jaipur.texts import rules_text
from jaipur.tui.phrases import read_move
from jaipur.tui.table import score_sheet, shown_names, view_table
from jaipur.words import choice_in_words, level_name, move_in_words

_HINTS = 5

_COMMANDS = {
    "?": "moves", "moves": "moves", "coups": "moves",
    "help": "help", "aide": "help",
    "hint": "hint", "indice": "hint",
    "undo": "undo", "annuler": "undo",
    "save": "save", "sauver": "save", "enregistrer": "save",
    "rules": "rules", "regles": "rules", "règles": "rules",
    "quit": "quit", "exit": "quit", "quitter": "quit",
}  # fmt: skip


class Quit(Exception):
    """The player leaves the game."""


class Game:
    """One match at one keyboard, written to its file after every move."""

    def __init__(self, record: Record, path: Path, console: Console) -> None:
        self.record = record
        self.path = path
        self.console = console
        self.bots = {
            seat: make_player(bot) for seat, name in enumerate(record.players) if (bot := bot_of(name)) is not None
        }
        self.names = shown_names(record)
        self.rng = Rng(secrets.randbits(64))

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.record.match

    def run(self) -> None:
        """Plays until the match is over; raises `Quit`, `EOFError` or `KeyboardInterrupt` when the player leaves."""
        for bot in map(bot_of, self.record.players):
            if bot is not None:
                self._say("{name}: {line}", name=level_name(bot), line=_(LEVELS[bot].character))
        self._say(_("The deck is fixed. SHA-256 of its seed: {commitment}"), commitment=self.match.commitment)
        while True:
            if self.match.round.over:
                self._end_round()
                if self.match.over:
                    return self._end_match()
                self._ask(_("Press Enter for the next round."))
                self.match.next_round()
            seat = self.match.round.turn
            if seat in self.bots:
                self._bot_turn(seat)
            else:
                self._person_turn(seat)

    def _bot_turn(self, seat: int) -> None:
        view = self.match.round.view(seat)
        self._play(self.bots[seat].choose(view, DEFAULT_BUDGET, self.rng), view)

    def _person_turn(self, seat: int) -> None:
        if not self.bots:
            self._ask(
                _("{name}, it is your turn: press Enter when you alone see the screen.").format(name=self.names[seat])
            )
            self.console.clear()
        view = self.match.round.view(seat)
        self._show(view)
        ply = self.match.ply
        while self.match.ply == ply and self.match.round.turn == seat:
            self._answer(self._ask(_("Your move (? lists them, help, quit): ")), view)

    def _show(self, view: View) -> None:
        seals = " · ".join(
            f"{name} {'●' * n}{'○' * (2 - n)}" for name, n in zip(self.names, self.match.seals, strict=True)
        )
        title = _("Round {number}").format(number=len(self.match.rounds))
        self.console.print()
        self.console.rule(Text(f"{title} · {seals}"), align="left")
        self.console.print(view_table(view, self.names))

    def _answer(self, text: str, view: View) -> None:
        """Plays a move or obeys a command; what is wrong with it is said in one sentence."""
        word, _space, rest = text.strip().partition(" ")
        try:
            match _COMMANDS.get(word.lower()):
                case "moves":
                    self._list_moves(view)
                case "help":
                    self._help()
                case "hint":
                    self._hint(view)
                case "undo":
                    self._undo()
                case "save":
                    self._save_as(rest.strip())
                case "rules":
                    self.console.print(Markdown(rules_text()))
                case "quit":
                    raise Quit
                case _ if word:
                    self._play(read_move(text, view), view)
        except JaipurError as error:
            self._print(Text(error.text(_), "yellow"))

    def _play(self, move: Move, view: View) -> None:
        seat = self.match.round.turn
        self.match.play(move)
        words = choice_in_words(view, move)
        self.console.print(Text.assemble((f"{self.names[seat]}: ", "bold"), words, (f"  {move}", "dim")))
        self.record.save(self.path)

    def _list_moves(self, view: View) -> None:
        for move in view.legal_moves():
            self.console.print(Text(f"{move!s:14}{choice_in_words(view, move)}"))

    def _hint(self, view: View) -> None:
        """The best moves with the chance to win the round, as the strongest player sees them."""
        search = shipped_vizier().think(view, DEFAULT_BUDGET, self.rng)
        for candidate in sorted(search.live, key=lambda candidate: candidate.value, reverse=True)[:_HINTS]:
            move = from_code(candidate.code)
            chance = f"{100 * candidate.value:3.0f}%"
            self.console.print(Text(f"{chance} ±{100 * candidate.error:2.0f}  {move!s:14}{move_in_words(move)}"))

    def _help(self) -> None:
        self._say(
            _("A move: +D takes a diamond, +M the camels, +DG-LM exchanges, -LLL sells; or in words: sell 3 leather.")
        )
        self._say(_("Letters: D diamond, G gold, S silver, C cloth, P spice, L leather, M camel."))
        self._say(
            _("Commands: ? (all legal moves), hint, undo, save FILE, rules, quit. The game is saved after every move.")
        )

    def _undo(self) -> None:
        """Back to before the last move of a person."""
        for ply in range(self.match.ply - 1, -1, -1):
            before = self.match.until(ply)
            if not before.round.over and before.round.turn not in self.bots:
                self.record.match = before
                self.record.save(self.path)
                return self._say(_("One step back."))
        return self._say(_("There is nothing to undo."))

    def _save_as(self, name: str) -> None:
        path = Path(name).expanduser() if name else self.path
        self.record.save(path)
        self._say(_("Saved: {path}"), path=path)

    def _end_round(self) -> None:
        self.console.print()
        self.console.print(score_sheet(self.match.round.score(), self.names))

    def _end_match(self) -> None:
        winner = self.match.winner
        if winner is not None:
            self._say(_("{name} wins the match and is the Maharaja's trader."), name=self.names[winner])
        self._say(_("Seed: {seed}"), seed=self.match.seed.hex())
        self._say(_("The shuffle can be checked: jaipur verify {path}"), path=self.path)

    def _ask(self, prompt: str) -> str:
        return self.console.input(Text(prompt))

    def _say(self, sentence: str, **blanks: object) -> None:
        self._print(Text(sentence.format(**blanks)))

    def _print(self, text: Text) -> None:
        """Wraps lines at words for a person, and not at all for a program that reads."""
        self.console.print(text, soft_wrap=not self.console.is_terminal)
