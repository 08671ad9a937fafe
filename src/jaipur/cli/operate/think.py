"""`jaipur think`: bot workers that run separately from the servers."""

import os
from typing import Annotated

import typer
from rich.console import Console

from jaipur.cli.operate.serve import Pause
from jaipur.extras import load
from jaipur.language import _
from jaipur.server.config import Config

console = Console(highlight=False)


def think(
    database: Annotated[
        str, typer.Option(help=_("The database of the servers, like postgresql://USER@HOST/NAME."))
    ] = "",
    bot_workers: Annotated[
        int, typer.Option("--bot-workers", min=1, max=64, help=_("Processes in which bots think."))
    ] = max((os.cpu_count() or 2) - 1, 1),
    pause: Pause = Config.pause,
) -> None:
    """Thinks until Ctrl-C."""
    thinking = load("jaipur.server.run.bot_process", "web")
    store = thinking.open_shared(database)
    console.print(_("Bots think for {where}. Press Ctrl-C to stop.").format(where=store.where), soft_wrap=True)
    thinking.run_thinking(Config(database, bot_workers=bot_workers, pause=pause), store)
