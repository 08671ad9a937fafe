"""The `jaipur` command."""

import os
import sys

from jaipur.language import LANGUAGES, _, language_of, use_language
from jaipur.rules.errors import JaipurError

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def main() -> None:
    """Runs the command line. Every error is one sentence, never a traceback."""
    arguments = _choose_language(sys.argv[1:])
    from jaipur.cli.commands import app  # noqa: PLC0415 - the help texts are in the language chosen above

    try:
        app(arguments)
    except JaipurError as error:
        _fail(error.text(_), EXIT_ERROR)
    except SystemExit as ending:
        # Typer has turned Ctrl-C into an exit without a word.
        if isinstance(getattr(ending.__context__, "__cause__", None), KeyboardInterrupt):
            _fail(_("Interrupted."), EXIT_INTERRUPTED)
        raise


def _choose_language(arguments: list[str]) -> list[str]:
    """Takes `--lang` out of the arguments, wherever it stands; without it the locale decides."""
    language = language_of(os.environ)
    rest: list[str] = []
    waiting = False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if waiting:
            language, waiting = argument, False
        elif name == "--lang":
            language, waiting = value, not equals
        else:
            rest.append(argument)
    if waiting or language not in LANGUAGES:
        use_language(language_of(os.environ))
        _fail(_("--lang takes one of: {languages}.").format(languages=", ".join(LANGUAGES)), EXIT_USAGE)
    use_language(language)
    return rest


def _fail(sentence: str, code: int) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201 - the command line's own voice
    sys.exit(code)
