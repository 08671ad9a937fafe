"""Languages: English in the sources, the others in gettext catalogues that all interfaces share."""

import gettext as _gettext
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LANGUAGES = {"en": "English", "fr": "Français"}
_LOCALE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_language: ContextVar[str] = ContextVar("language", default="en")


@cache
def _catalogue(language: str) -> _gettext.NullTranslations:
    folder = Path(__file__).parent / "locale"
    return _gettext.translation("jaipur", folder, [language], fallback=language == "en")


def use_language(language: str) -> None:
    """Speaks this language from now on, in the current context (a thread or a request)."""
    _language.set(language)


def current_language() -> str:
    """The language that is spoken."""
    return _language.get()


def language_of(environment: Mapping[str, str]) -> str:
    """The language that the locale variables ask for, English when they ask for one that we do not speak."""
    wishes = next((environment[name] for name in _LOCALE_VARIABLES if environment.get(name)), "")
    for wish in wishes.split(":"):
        if wish[:2].lower() in LANGUAGES:
            return wish[:2].lower()
    return "en"


def _(sentence: str) -> str:
    """The sentence in the current language."""
    return _catalogue(_language.get()).gettext(sentence)


def ngettext(one: str, many: str, number: int) -> str:
    """One of two sentences by a number, in the current language."""
    return _catalogue(_language.get()).ngettext(one, many, number)
