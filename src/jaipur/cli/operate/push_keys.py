"""`jaipur push-keys`: the keys with which a server notifies people whose page is closed."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jaipur.extras import load
from jaipur.language import _

console = Console(highlight=False)


def push_keys(
    file: Annotated[Path, typer.Argument(readable=False, help=_("Where the keys go: a file that is not there yet."))],
) -> None:
    """Makes the keys; once per server is enough."""
    load("jaipur.server.people.push.keys", "push").make_keys(file)
    console.print(
        _("The keys are in {path}. Keep them to yourself, and start the server with:").format(path=file), soft_wrap=True
    )
    console.print(f"jaipur serve --push-keys {file} --push-contact mailto:you@example.org", soft_wrap=True)
