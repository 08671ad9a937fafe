"""The commands, one function each. Help texts are translated when this module is loaded."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown

import jaipur
from jaipur.bots import LEVELS
from jaipur.cli import EXIT_INTERRUPTED
from jaipur.cli.bench import bench
from jaipur.cli.bot import bot
from jaipur.cli.calibrate import calibrate
from jaipur.cli.duel import duel
from jaipur.cli.ladder import ladder
from jaipur.cli.replay import replay
from jaipur.cli.serve import serve
from jaipur.cli.train import train
from jaipur.cli.verify import verify
from jaipur.core.errors import N_, JaipurError
from jaipur.i18n import _
from jaipur.match import Match, read_seed
from jaipur.record import Record, bot_name, person_name
from jaipur.texts import rules_text
from jaipur.tui.game import Game, Quit
from jaipur.tui.games import last_unfinished, new_game_path

app = typer.Typer(
    help=_("Jaipur, the card game for two. Every command takes --lang en or --lang fr."),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
console = Console(highlight=False)
OPPONENTS = [*LEVELS, "human"]


def _version(wanted: bool) -> None:
    if wanted:
        core = _("compiled core") if jaipur.COMPILED else _("interpreted core: no C compiler was found at install")
        console.print(f"jaipur {jaipur.__version__} ({core})", soft_wrap=True)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=_("Show the version and the core."))
    ] = False,
) -> None:
    pass


@app.command(help=_("Play a match in the terminal, against a bot or with another person at the same keyboard."))
def play(
    opponent: Annotated[
        str, typer.Argument(help=_("Who plays against you: {names}.").format(names=", ".join(OPPONENTS)))
    ] = "trader",
    name: Annotated[str, typer.Option(help=_("Your name."))] = "",
    seed: Annotated[str, typer.Option(help=_("Deal from this seed of 64 hex digits instead of a new one."))] = "",
    file: Annotated[
        Path | None, typer.Option("--from", help=_("Continue the unfinished match of this record."))
    ] = None,
    new: Annotated[bool, typer.Option("--new", help=_("Do not ask to continue the last unfinished match."))] = False,
) -> None:
    """Starts a match, or goes on with one."""
    if opponent not in OPPONENTS:
        raise JaipurError(
            N_("There is no opponent “{name}”: choose {names}."), name=opponent, names=", ".join(OPPONENTS)
        )
    game = _game(opponent, name.strip(), seed, file, new)
    try:
        game.run()
    except (Quit, EOFError):
        _farewell(game)
    except KeyboardInterrupt:
        console.print()
        _farewell(game)
        raise typer.Exit(EXIT_INTERRUPTED) from None


def _farewell(game: Game) -> None:
    if game.match.ply:
        console.print(_("The game is kept: {path}. Go on with: jaipur play").format(path=game.path), soft_wrap=True)


def _game(opponent: str, name: str, seed: str, file: Path | None, new: bool) -> Game:
    if file is not None:
        record = Record.load(file)
        if record.match.over:
            raise JaipurError(N_("This match is over. Look at it with: jaipur replay {path}"), path=str(file))
        return Game(record, file, console)
    unfinished = None if new or seed else last_unfinished()
    if unfinished is not None and _wants_to_continue():
        return Game(unfinished[1], unfinished[0], console)
    second = _("Player 2") if opponent == "human" else bot_name(opponent)
    players = (person_name(name) or (_("Player 1") if opponent == "human" else _("You")), second)
    return Game(Record(Match(read_seed(seed or None)), players), new_game_path(), console)


def _wants_to_continue() -> bool:
    try:
        answer = console.input(_("You have an unfinished match. Continue it? [Y/n] "))
    except EOFError:
        return True
    return answer.strip().lower()[:1] != "n"


@app.command(help=_("Show the rules."))
def rules() -> None:
    """Prints the rules page."""
    console.print(Markdown(rules_text()))


app.command("serve", help=_("Play in the browser: start the web app on this machine."))(serve)
app.command("replay", help=_("Step through a recorded match with open hands."))(replay)
app.command("verify", help=_("Check a record: the moves, the scores, and that the deck was fixed by the seed."))(verify)
app.command("bench", help=_("Measure the rulebook with its fingerprint, the bots, the server, or the environments."))(
    bench
)
app.command("duel", help=_("Let two players play paired deals, and measure which is stronger."))(duel)
app.command("ladder", help=_("Let all levels play each other and print the rating table."))(ladder)
app.command("calibrate", help=_("Check whether a network's win probabilities are true."))(calibrate)
app.command("train", help=_("Let a network learn the game from nothing by playing against itself."))(train)
app.command("bot", help=_("Answer questions on standard input like an external bot: our levels for other programs."))(
    bot
)
