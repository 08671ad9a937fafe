"""What is wrong with a command line, in one sentence in the chosen language.

Typer says it in English and, for numbers, in the words of the library that checks them. Its exceptions say what is
wrong; the sentences are ours.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from jaipur.cli import Misuse
from jaipur.language import _
from jaipur.rules.errors import N_

Parameter = TyperArgument | TyperOption
ARGUMENTS = {
    "address": N_("address"),
    "contender": N_("contender"),
    "file": N_("file"),
    "first": N_("first"),
    "folder": N_("folder"),
    "game": N_("game"),
    "level": N_("level"),
    "network": N_("network"),
    "opponent": N_("opponent"),
    "position": N_("position"),
    "second": N_("second"),
    "source": N_("source"),
    "target": N_("target"),
    "what": N_("what"),
}
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
    return _(ARGUMENTS[param.name]) if isinstance(param, TyperArgument) else max(param.opts, key=len)


@contextmanager
def explained(command: TyperCommand | TyperGroup, ctx: Any) -> Iterator[None]:
    """Turns Typer's errors into ours. No arguments at all is not an error but a request for the help page."""
    try:
        yield
    except typer.TyperException as error:
        kind = type(error).__name__
        if kind not in _EXPLAINED:
            raise
        raise _EXPLAINED[kind](error, command, ctx) from error


def _missing(error: Any, _command: object, ctx: Any) -> Misuse:
    sentence = N_("The argument “{name}” is missing: see {path} --help.")
    return Misuse(sentence, name=shown_name(error.param), path=ctx.command_path)


def _no_option(error: Any, _command: object, ctx: Any) -> Misuse:
    if error.possibilities:
        sentence = N_("There is no option {name}: did you mean {other}?")
        return Misuse(sentence, name=error.option_name, other=error.possibilities[0])
    return Misuse(N_("There is no option {name}: see {path} --help."), name=error.option_name, path=ctx.command_path)


def _bad_option(error: Any, command: TyperCommand | TyperGroup, ctx: Any) -> Misuse:
    """Too few values, or a value for a flag."""
    option: Any = next(param for param in command.get_params(ctx) if error.option_name in param.opts)
    if option.is_flag:
        return Misuse(N_("{name} takes no value."), name=error.option_name)
    return _bad_value(option) if option.nargs > 1 else Misuse(N_("{name} needs a value."), name=error.option_name)


def _bad_value(param: Any) -> Misuse:
    if param.nargs > 1:
        return Misuse(N_("{name} takes two numbers."), name=shown_name(param))
    sentences = _NUMBERS[param.type_descriptor.annotation]
    bounds = (param.min is not None) + (param.max is not None)
    return Misuse(sentences[bounds], name=shown_name(param), least=param.min, most=param.max)


def _too_many(_error: Any, _command: object, ctx: Any) -> Misuse:
    return Misuse(N_("There are too many arguments: see {path} --help."), path=ctx.command_path)


_EXPLAINED = {
    "MissingParameter": _missing,
    "NoSuchOption": _no_option,
    "BadOptionUsage": _bad_option,
    "BadParameter": lambda error, _command, _ctx: _bad_value(error.param),
    "UsageError": _too_many,
}
"""Keyed by the names of Typer's exceptions, because it does not export the classes."""


def no_command(name: str, path: str) -> Misuse:
    """A name that is not among the commands."""
    return Misuse(N_("There is no command “{name}”: see {path} --help."), name=name[:40], path=path)
