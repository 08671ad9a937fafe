"""Languages: English in the sources, all others in gettext catalogues that the interfaces share.

Everything about words lives in this room: catalogues (`locale`), moves put into words (`words`), moves read from
words (`vocabulary`, `phrases`) and longer texts (`texts`).
"""

import gettext as _gettext
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LANGUAGES = {"en": "English", "fr": "Français"}
PLURALS = {"fr": "nplurals=2; plural=(n > 1);"}
"""How each catalogue chooses the plural form for a number; English is in the sources."""
DECIMAL_MARKS = {"en": ".", "fr": ","}
THOUSANDS_MARKS = {"en": ",", "fr": "\u202f"}
_LOCALE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")

_language: ContextVar[str] = ContextVar("language", default="en")


@cache
def _catalogue(language: str) -> _gettext.NullTranslations:
    folder = Path(__file__).parent / "locale"
    return _gettext.translation("jaipur", folder, [language], fallback=language == "en")


def use_language(language: str) -> None:
    """Sets the language of the current context (a thread or a request)."""
    _language.set(language)


def current_language() -> str:
    """The language of the current context."""
    return _language.get()


def decimal(number: float, digits: int = 1, sign: bool = False) -> str:
    """A number as the current language writes it; if it rounds to zero, it has no sign."""
    shown = round(number, digits) + 0.0
    text = f"{shown:{'+' if sign and shown else ''}.{digits}f}".replace("-", "−")
    return text.replace(".", DECIMAL_MARKS[_language.get()])


def whole(number: int) -> str:
    """A large number as the current language writes it: `1,000,000`."""
    return f"{number:,}".replace(",", THOUSANDS_MARKS[_language.get()])


def language_of(environment: Mapping[str, str]) -> str:
    """The language that the locale variables ask for, or English if we do not speak it."""
    wishes = next((environment[name] for name in _LOCALE_VARIABLES if environment.get(name)), "")
    return _first_spoken(wishes.split(":"))


def accepted_language(header: str) -> str:
    """The first language in an Accept-Language header that we speak, else English."""
    return _first_spoken([part.split(";")[0] for part in header.split(",")])


def _first_spoken(tags: list[str]) -> str:
    codes = [tag.strip()[:2].lower() for tag in tags]
    return next((code for code in codes if code in LANGUAGES), "en")


def _(sentence: str) -> str:
    """The sentence in the current language."""
    return _catalogue(_language.get()).gettext(sentence)


def ngettext(one: str, many: str, number: int) -> str:
    """The singular or plural sentence for a number, in the current language."""
    return _catalogue(_language.get()).ngettext(one, many, number)
