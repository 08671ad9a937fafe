"""Rooms that need packages from an optional extra."""

import importlib
import shlex
import sys
from types import ModuleType

from jaipur.rules.errors import N_, JaipurError


def missing(extra: str) -> JaipurError:
    """The error that says what to install."""
    command = f"{shlex.quote(sys.executable)} -m pip install '.[{extra}]'"
    return JaipurError(N_("This needs more packages: run {command} in the project's folder."), command=command)


def load(module: str, extra: str) -> ModuleType:
    """Imports a module of ours that needs the packages of an extra."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise missing(extra) from error
