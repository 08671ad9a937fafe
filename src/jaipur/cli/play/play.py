"""The commands, one function each. Help texts are translated when this module is loaded."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

import jaipur
from jaipur.bots import DEFAULT_BUDGET, LEVELS, Budget
from jaipur.cli import EXIT_INTERRUPTED
from jaipur.cli.kit.help import Command, Commands
from jaipur.cli.kit.options import read_thinking
from jaipur.cli.kit.questions import agreed
from jaipur.cli.operate.backup_commands import backup, check, restore
from jaipur.cli.operate.games import games
from jaipur.cli.operate.move_database import move_database
from jaipur.cli.operate.push_keys import push_keys
from jaipur.cli.operate.serve import serve
from jaipur.cli.operate.think import think
from jaipur.cli.play.replay import replay
from jaipur.cli.study.analyse import analyse_position
from jaipur.cli.study.bench import bench
from jaipur.cli.study.bot import bot
from jaipur.cli.study.calibrate import calibrate
from jaipur.cli.study.duel import duel
from jaipur.cli.study.ladder import ladder
from jaipur.cli.study.league import league
from jaipur.cli.study.review import review
from jaipur.cli.study.train import train
from jaipur.cli.study.verify import verify
from jaipur.language import LANGUAGES, _
from jaipur.language.texts import rules_text
from jaipur.match import SEED_BYTES, Match, read_seed
from jaipur.record import Record, bot_name, bot_of, person_name
from jaipur.rules.errors import N_, JaipurError
from jaipur.tui.game import Quit, TerminalGame
from jaipur.tui.saved_games import described, last_unfinished, new_game_path

app = typer.Typer(
    cls=Commands,
    help=_("Jaipur, the card game for two."),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
console = Console(highlight=False)
_PERSON = "human"
_DEFAULT = "trader"
OPPONENTS = [*LEVELS, _PERSON]
_HEX_DIGITS = 2 * SEED_BYTES


def _version(wanted: bool) -> None:
    if wanted:
        how = _("compiled") if jaipur.COMPILED else _("interpreted: no C compiler was found when it was installed")
        console.print(f"jaipur {jaipur.__version__} ({how})", soft_wrap=True)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help=_("Show the version, and whether it is compiled.")
        ),
    ] = False,
    lang: Annotated[
        str,
        typer.Option(
            metavar="|".join(LANGUAGES), help=_("The language; every command takes it. Otherwise the locale.")
        ),
    ] = "",
) -> None:
    """`--lang` has already been taken out of the arguments; it is declared here for the help page."""


@app.command(
    cls=Command, help=_("Play a match in the terminal, against a bot or with another person at the same keyboard.")
)
def play(
    opponent: Annotated[
        str | None,
        typer.Argument(
            help=_("Who plays against you: {names}.").format(names=", ".join(OPPONENTS)), show_default=_DEFAULT
        ),
    ] = None,
    name: Annotated[str, typer.Option(help=_("Your name."))] = "",
    seed: Annotated[
        str, typer.Option(help=_("Deal from this seed, 64 hex digits or a whole number, instead of a new one."))
    ] = "",
    file: Annotated[
        Path | None, typer.Option("--from", readable=False, help=_("Continue the unfinished match of this record."))
    ] = None,
    new: Annotated[bool, typer.Option("--new", help=_("Do not ask to continue the last unfinished match."))] = False,
    think: Annotated[
        float, typer.Option(metavar=_("SECONDS"), help=_("How long the Vizier thinks about a move or a hint."))
    ] = DEFAULT_BUDGET.seconds or 0.0,
) -> None:
    """Starts a match, or resumes one."""
    if opponent is not None and opponent not in OPPONENTS:
        raise JaipurError(
            N_("There is no opponent “{name}”: choose {names}."), name=opponent, names=", ".join(OPPONENTS)
        )
    game = _game(opponent, name.strip(), seed, file, new, read_thinking(think))
    try:
        game.run()
    except (Quit, EOFError):
        game.leave()
    except KeyboardInterrupt:
        console.print()
        game.leave()
        raise typer.Exit(EXIT_INTERRUPTED) from None


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
    return agreed(console, question, default=not other)


@app.command(cls=Command, help=_("Show the rules."))
def rules() -> None:
    """Prints the rules page."""
    console.print(Markdown(rules_text()))


_OTHERS: dict[Callable[..., None], str] = {
    serve: _("Play in the browser: start the web app on this machine."),
    replay: _("Step through a recorded match with open hands."),
    review: _("Grade every decision of a recorded match, and tell luck from skill."),
    analyse_position: _("Show what every move of a position is worth."),
    verify: _("Check a record: the moves, the scores, and that the deck was fixed by the seed."),
    bench: _("Measure the rulebook with its fingerprint, the bots, the coach, the environments, or the server."),
    duel: _("Let two players play paired deals, and measure which is stronger."),
    ladder: _("Let all levels play each other and print the rating table."),
    league: _("Measure a player against a field of unfamiliar opponents."),
    calibrate: _("Check whether a network's win probabilities come true."),
    train: _("Let a network learn the game from scratch by playing against itself."),
    backup: _("Copy the games of the web app into one file, even while it runs."),
    restore: _("Put a copy that jaipur backup has made in place of the games of the web app."),
    check: _("Check the games of the web app: the file, and every event."),
    move_database: _("Carry the games of the web app to another database, and check that they arrived."),
    think: _("Let bots think for servers on the same PostgreSQL, on this machine or any other."),
    push_keys: _("Make the keys that sign the web app's push notifications."),
    bot: _("Answer questions on standard input like an external bot: our levels for other programs."),
}
for command, explained in _OTHERS.items():
    app.command("analyse" if command is analyse_position else None, cls=Command, help=explained)(command)
app.add_typer(games, name="games", help=_("For operators: list, show, close and delete games, block addresses."))
