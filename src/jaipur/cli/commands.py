"""The list of commands. Their help is in the language in use when this module is loaded."""

from collections.abc import Callable
from typing import Annotated

from typer import Exit, Option, Typer

import jaipur
from jaipur.cli.kit.help import TranslatedCommand, TranslatedGroup
from jaipur.cli.kit.output import console
from jaipur.cli.operate.database import backup, check, move_database, restore
from jaipur.cli.operate.games import games
from jaipur.cli.operate.serve import push_keys, serve, think
from jaipur.cli.play.play import play, rules
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

app = Typer(
    cls=TranslatedGroup,
    help=_("Jaipur, the card game for two."),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        how = _("compiled") if jaipur.COMPILED else _("interpreted: no C compiler was found when it was installed")
        console.print(f"jaipur {jaipur.__version__} ({how})", soft_wrap=True)
        raise Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        Option("--version", callback=_version, is_eager=True, help=_("Show the version, and whether it is compiled.")),
    ] = False,
    lang: Annotated[
        str,
        Option(metavar="|".join(LANGUAGES), help=_("The language; every command takes it. Otherwise the locale.")),
    ] = "",
) -> None:
    """`--lang` has already been taken out of the arguments; it is declared here for the help page."""


_COMMANDS: dict[Callable[..., None], str] = {
    play: _("Play a match in the terminal, against a bot or with another person at the same keyboard."),
    rules: _("Show the rules."),
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
for command, explanation in _COMMANDS.items():
    app.command("analyse" if command is analyse_position else None, cls=TranslatedCommand, help=explanation)(command)
app.add_typer(games, name="games", help=_("For operators: list, show, close and delete games, block addresses."))
