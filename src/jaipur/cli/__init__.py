"""The `jaipur` command."""

import errno
import os
import signal
import sys

from jaipur.files import reason_of
from jaipur.language import LANGUAGES, _, language_of, use_language
from jaipur.rules.errors import JaipurError

EXIT_ERROR = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
_EXIT_TERMINATED = 143
_OF_THE_OUTPUT = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE, errno.EBADF}


def main() -> None:
    """Runs the command line. Every error is one sentence, never a traceback."""
    arguments = _choose_language(sys.argv[1:])
    if sys.stdout is None:
        _fail(_("The output cannot be written: it is closed."), EXIT_ERROR)
    # The default handler would leave child processes running.
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(_EXIT_TERMINATED))
    try:
        _run(arguments)
    except KeyboardInterrupt:
        _fail(_("Interrupted."), EXIT_INTERRUPTED)
    except OSError as error:
        if error.filename is not None or error.errno not in _OF_THE_OUTPUT:
            raise
        _give_up_output(error)


def _run(arguments: list[str]) -> None:
    from typer import TyperException  # noqa: PLC0415 - not before `--lang` has been understood

    from jaipur.cli.commands import app  # noqa: PLC0415 - the help texts are in the language chosen above
    from jaipur.cli.kit.usage_errors import sentence_for  # noqa: PLC0415

    try:
        code = app(arguments, standalone_mode=False)
    except JaipurError as error:
        _fail(error.text(_), EXIT_ERROR)
    except TyperException as error:
        _fail(sentence_for(error), EXIT_USAGE)
    finally:
        sys.stdout.flush()
    if code == EXIT_INTERRUPTED:  # how Typer answers Ctrl-C
        raise KeyboardInterrupt
    sys.exit(code)


def _give_up_output(error: OSError) -> None:
    """A closed pipe needs no message; a full disk does. Unwritten output must not be tried again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == errno.EPIPE:
        sys.exit(EXIT_ERROR)
    _fail(_("The output cannot be written: {reason}.").format(reason=_(reason_of(error))), EXIT_ERROR)


def _choose_language(arguments: list[str]) -> list[str]:
    """Takes `--lang` out of the arguments, wherever it is; without it the locale decides."""
    language = language_of(os.environ)
    rest, words = [], iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--lang":
            language = value if equals else next(words, "")
        else:
            rest.append(word)
    if language not in LANGUAGES:
        use_language(language_of(os.environ))
        _fail(_("--lang takes one of: {languages}.").format(languages=", ".join(LANGUAGES)), EXIT_USAGE)
    use_language(language)
    return rest


def _fail(sentence: str, code: int) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201 - the command line's own voice
    sys.exit(code)
