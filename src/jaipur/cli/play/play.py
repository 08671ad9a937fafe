"""`jaipur play` and `jaipur rules`: a match in the terminal."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from rich.markdown import Markdown
from rich.text import Text
from typer import Argument, Option

from jaipur.bots import DEFAULT_BUDGET, LEVELS, Budget, Clock
from jaipur.cli import EXIT_INTERRUPTED
from jaipur.cli.kit.options import read_budget
from jaipur.cli.kit.output import confirm, console
from jaipur.language import _
from jaipur.language.texts import rules_text
from jaipur.match import SEED_BYTES, Match, read_seed
from jaipur.record import Record, bot_name, bot_of, person_name
from jaipur.rules.errors import N_, JaipurError
from jaipur.tui.game import Quit, TerminalGame
from jaipur.tui.saved_games import described, last_unfinished, new_game_path

_PERSON = "human"
_DEFAULT = "trader"
OPPONENTS = [*LEVELS, _PERSON]
_HEX_DIGITS = 2 * SEED_BYTES


def play(
    opponent: Annotated[
        str | None,
        Argument(help=_("Who plays against you: {names}.").format(names=", ".join(OPPONENTS)), show_default=_DEFAULT),
    ] = None,
    name: Annotated[str, Option(help=_("Your name."))] = "",
    seed: Annotated[
        str, Option(help=_("Deal from this seed, 64 hex digits or a whole number, instead of a new one."))
    ] = "",
    file: Annotated[
        Path | None, Option("--from", readable=False, help=_("Continue the unfinished match of this record."))
    ] = None,
    new: Annotated[bool, Option("--new", help=_("Do not ask to continue the last unfinished match."))] = False,
    think: Annotated[
        float, Option(metavar=_("SECONDS"), help=_("How long the Vizier thinks about a move or a hint."))
    ] = DEFAULT_BUDGET.seconds or 0.0,
) -> None:
    """Starts a match, or resumes one."""
    if opponent is not None and opponent not in OPPONENTS:
        raise JaipurError(
            N_("There is no opponent “{name}”: choose {names}."), name=opponent, names=", ".join(OPPONENTS)
        )
    budget = replace(read_budget(think, None, think), clock=Clock.WALL)  # people wait in real time
    game = _game(opponent, name.strip(), seed, file, new, budget)
    try:
        game.run()
    except (Quit, EOFError):
        game.leave()
    except KeyboardInterrupt:
        console.print()
        game.leave()
        sys.exit(EXIT_INTERRUPTED)


def _game(opponent: str | None, name: str, seed: str, file: Path | None, new: bool, budget: Budget) -> TerminalGame:
    if file is not None:
        record = Record.load(file)
        if record.match.over:
            raise JaipurError(
                N_("This match is over. Look at it with: jaipur replay {path}"), path=shlex.quote(str(file))
            )
        return TerminalGame(record, file, console, budget)
    unfinished = None if new or seed else last_unfinished()
    if unfinished is not None:
        path, record = unfinished
        if _wants_to_continue(record, opponent):
            return TerminalGame(record, path, console, budget)
        saved = _("It stays saved: jaipur play --from {path}").format(path=shlex.quote(str(path)))
        console.print(Text(saved), soft_wrap=True)
    second = "" if opponent == _PERSON else bot_name(opponent or _DEFAULT)
    record = Record(Match(_seed(seed)), (person_name(name), second))
    return TerminalGame(record, new_game_path(), console, budget)


def _seed(text: str) -> bytes:
    """Reads a seed; 64 digits are hex, as in a record, fewer are a whole number."""
    try:
        return read_seed(int(text) if text.isdecimal() and len(text) < _HEX_DIGITS else text or None)
    except JaipurError as error:
        raise JaipurError(N_("A seed is 64 hex digits or a whole number, not “{text}”."), text=text[:80]) from error


def _wants_to_continue(record: Record, opponent: str | None) -> bool:
    """Describes the match and asks; an empty answer means yes, unless another opponent was asked for."""
    console.print(Text(described(record)), soft_wrap=not console.is_terminal)
    other = opponent is not None and opponent != next(filter(None, map(bot_of, record.players)), _PERSON)
    question = _("Continue it? [Y/n] ")
    if other and opponent == _PERSON:
        question = _("Continue it instead of a new match for two? [y/N] ")
    elif other and opponent is not None:
        question = _("Continue it instead of a new match against {name}? [y/N] ").format(
            name=LEVELS[opponent].shown_name
        )
    return confirm(question, default=not other)


def rules() -> None:
    """Prints the rules page."""
    console.print(Markdown(rules_text()))
