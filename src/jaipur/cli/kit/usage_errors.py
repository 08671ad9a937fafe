"""What is wrong with a command line, in one sentence in the chosen language.

Typer says it in English and, for numbers, in the words of the library that checks them. Its exceptions say what is
wrong; the sentences are ours.
"""

import sys
from typing import Any

from typer.core import TyperArgument, TyperGroup, TyperOption

from jaipur.cli import EXIT_USAGE
from jaipur.language import _
from jaipur.rules.errors import N_

Parameter = TyperArgument | TyperOption
_ARGUMENTS = (
    (N_("address"), N_("contender"), N_("file"), N_("first"), N_("folder"), N_("game"), N_("level"), N_("network")),
    (N_("opponent"), N_("position"), N_("second"), N_("source"), N_("target"), N_("what")),
)
"""The names of all arguments, so that they get into the catalogue."""
_NUMBERS = {
    int: (
        N_("{name} takes a whole number."),
        N_("{name} takes a whole number, at least {least}."),
        N_("{name} takes a whole number from {least} to {most}."),
    ),
    float: (
        N_("{name} takes a number."),
        N_("{name} takes a number, at least {least}."),
        N_("{name} takes a number from {least} to {most}."),
    ),
}
"""Without bounds, with a lower bound, and with both."""


def shown_name(param: Parameter) -> str:
    """What a parameter is called on a help page and in a sentence."""
    return _(param.name) if isinstance(param, TyperArgument) else max(param.opts, key=len)


def sentence_for(error: Any) -> str:
    """The sentence for an error of Typer. Its classes go by their names, because Typer does not export them."""
    path = error.ctx.command_path if error.ctx else ""
    match type(error).__name__:
        case "NoArgsIsHelpError":  # not an error but a request for the help page, which has been printed
            sys.exit(EXIT_USAGE)
        case "MissingParameter":
            sentence = _("The argument “{name}” is missing: see {path} --help.")
            return sentence.format(name=shown_name(error.param), path=path)
        case "NoSuchOption" if error.possibilities:
            sentence = _("There is no option {name}: did you mean {other}?")
            return sentence.format(name=error.option_name, other=error.possibilities[0])
        case "NoSuchOption":
            return _("There is no option {name}: see {path} --help.").format(name=error.option_name, path=path)
        case "BadOptionUsage":
            return _number_of_values(error.message).format(name=error.option_name)
        case "BadParameter":
            return _bad_value(error.param)
        case "UsageError" if not isinstance(error.ctx.command, TyperGroup):
            return _("There are too many arguments: see {path} --help.").format(path=path)
    return str(error.message)


def _number_of_values(message: str) -> str:
    """Only Typer's own words tell how many values an option wants."""
    if message.endswith("does not take a value."):
        return _("{name} takes no value.")
    return _("{name} needs a value.") if message.endswith("an argument.") else _("{name} takes two numbers.")


def _bad_value(param: Any) -> str:
    if param.nargs > 1:
        return _("{name} takes two numbers.").format(name=shown_name(param))
    bounds = (param.min is not None) + (param.max is not None)
    sentence = _(_NUMBERS[param.type_descriptor.annotation][bounds])
    return sentence.format(name=shown_name(param), least=param.min, most=param.max)
