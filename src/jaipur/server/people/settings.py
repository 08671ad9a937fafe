"""A person's settings, kept in a cookie in their browser."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from urllib.parse import parse_qsl, urlencode

from jaipur.language import LANGUAGES

COOKIE = "jaipur_settings"
THEMES = ("auto", "light", "dark")
THINKING = ("0.2", "", "1", "2")
"""Seconds that a bot may think about a move, if its level thinks ahead; empty means the usual time."""
_CHOICES = {"lang": LANGUAGES, "theme": THEMES, "think": THINKING}
_LONGEST_LEVEL = 30
_ONCE_OFFERED = "5"
"""An old cookie may still ask for this; it gets the longest time of today."""
_KEPT = 256
"""How many cookies are cached and not parsed for each request; most people change nothing."""


@dataclass(frozen=True)
class Settings:
    """The defaults are for a first visit; an empty language means the browser's.

    `offered` says that sound has been offered; `open_hands` is for those who watch bots.
    """

    lang: str = ""
    theme: str = "auto"
    memory: bool = True
    herds: bool = True
    confirm: bool = False
    sound: bool = False
    notify: bool = False
    offered: bool = False
    open_hands: bool = False
    motion: bool = True
    emotes: bool = True
    tutor: bool = False
    think: str = ""
    level: str = ""

    @property
    def seconds(self) -> float | None:
        """How long a bot may think about a move; None for the usual time."""
        return float(self.think) if self.think else None

    def cookie(self) -> str:
        """The text of the cookie."""
        values = asdict(self).items()
        return urlencode({name: "on" * value if isinstance(value, bool) else value for name, value in values})


SWITCHES = tuple(field.name for field in fields(Settings) if isinstance(field.default, bool))
"""A form sends a switch only when it is on."""


@lru_cache(_KEPT)
def read_settings(cookie: str) -> Settings:
    """The settings from a cookie; what is missing or unreadable gets its default."""
    return settings_from(dict(parse_qsl(cookie, keep_blank_values=True)))


def settings_from(values: Mapping[str, str]) -> Settings:
    """Settings from text values, such as the fields of a complete form."""
    texts = {name: values[name] for name, choices in _CHOICES.items() if values.get(name) in choices}
    if values.get("think") == _ONCE_OFFERED:
        texts["think"] = THINKING[-1]
    switches = {name: values[name] == "on" for name in SWITCHES if name in values}
    level = values.get("level", "")[:_LONGEST_LEVEL]
    return Settings(level=level, **texts, **switches)  # type: ignore[arg-type]  # each has the type of its field
