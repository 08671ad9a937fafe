"""Rooms that need packages from an optional extra."""

import importlib
from types import ModuleType

from jaipur.rules.errors import N_, JaipurError


def missing(extra: str) -> JaipurError:
    """The error that says what to install."""
    return JaipurError(N_("This needs more packages: install them with pip install 'jaipur[{extra}]'."), extra=extra)


def load(module: str, extra: str) -> ModuleType:
    """Imports a module of ours that needs the packages of an extra."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise missing(extra) from error
