"""Languages: English in the sources, the others in gettext catalogues that all interfaces share.

Everything that is said in words lives in this room: catalogues (`locale`), moves in words (`words`), moves read from
words (`vocabulary`, `phrases`) and longer texts (`texts`).
"""

import gettext as _gettext
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path

LANGUAGES = {"en": "English", "fr": "Français"}
PLURALS = {"fr": "nplurals=2; plural=(n > 1);"}
"""How each catalogue chooses between the forms of a word by a number; English is in the sources."""
DECIMAL_MARKS = {"en": ".", "fr": ","}
THOUSANDS_MARKS = {"en": ",", "fr": "\u202f"}
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


def decimal(number: float, digits: int = 1, sign: bool = False) -> str:
    """A number as the current language writes it; what rounds to zero has no sign."""
    shown = round(number, digits) + 0.0
    text = f"{shown:{'+' if sign and shown else ''}.{digits}f}".replace("-", "−")
    return text.replace(".", DECIMAL_MARKS[_language.get()])


def whole(number: int) -> str:
    """A large number as the current language writes it: `1,000,000`."""
    return f"{number:,}".replace(",", THOUSANDS_MARKS[_language.get()])


def language_of(environment: Mapping[str, str]) -> str:
    """The language that the locale variables ask for, English when they ask for one that we do not speak."""
    wishes = next((environment[name] for name in _LOCALE_VARIABLES if environment.get(name)), "")
    return _first_spoken(wishes.split(":"))


def accepted_language(header: str) -> str:
    """The first language of an Accept-Language header that we speak, else English."""
    return _first_spoken([part.split(";")[0] for part in header.split(",")])


def _first_spoken(tags: list[str]) -> str:
    codes = [tag.strip()[:2].lower() for tag in tags]
    return next((code for code in codes if code in LANGUAGES), "en")


def _(sentence: str) -> str:
    """The sentence in the current language."""
    return _catalogue(_language.get()).gettext(sentence)


def ngettext(one: str, many: str, number: int) -> str:
    """One of two sentences by a number, in the current language."""
    return _catalogue(_language.get()).ngettext(one, many, number)
