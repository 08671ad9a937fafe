"""Templates and what they may call."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from starlette.requests import Request
from starlette.responses import HTMLResponse

from jaipur.bots import LEVELS
from jaipur.core.box import GOODS_TOKENS, LETTERS
from jaipur.core.move import Move
from jaipur.i18n import LANGUAGES, _, current_language, ngettext
from jaipur.server.guide import LOW_DECK, lesson
from jaipur.table import Seen, Side
from jaipur.texts import rules_text
from jaipur.words import kind_name, level_name, move_in_words

STATIC = Path(__file__).parent / "static"
OPPONENTS = [name for name in LEVELS if name != "random"]
_ART = ("diamond", "gold", "silver", "cloth", "spice", "leather", "camel")
_HASH_LENGTH = 10


@cache
def asset(name: str) -> str:
    """The address of a static file. It changes with the content, so browsers may keep the file for ever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:_HASH_LENGTH]
    return f"/static/{name}?v={digest}"


def _level_line(level: str) -> str:
    return _(LEVELS[level].character)


def name_of(side: Side) -> str:
    """A player's name as it is shown."""
    return level_name(side.level) if side.level else side.name


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("jaipur.server"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.globals.update(
        _=_,
        ngettext=ngettext,
        languages=LANGUAGES,
        low_deck=LOW_DECK,
        asset=asset,
        kind_name=lambda letter: kind_name(LETTERS.index(letter)),
        art_of=lambda letter: _ART[LETTERS.index(letter)],
        move_words=lambda text: move_in_words(Move.parse(text)),
        level_name=level_name,
        level_line=_level_line,
        name_of=name_of,
        when=lambda ms: datetime.fromtimestamp(ms / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M"),
    )
    return environment


class Pages:
    """Renders pages. The maker of keys is handed in, so that tests can fix it."""

    def __init__(self, fresh_key: Callable[[], str] = lambda: secrets.token_urlsafe(12)) -> None:
        self.environment = _environment()
        self.environment.globals["key"] = fresh_key

    def page(self, request: Request, template: str, context: Mapping[str, object], status: int = 200) -> HTMLResponse:
        """A page or a part of one."""
        text = self.environment.get_template(template).render(
            lang=current_language(), settings=request.state.settings, path=request.url.path, **context
        )
        return HTMLResponse(text, status)


def table_context(seen: Seen, said: str = "", wrong: bool = False, sure: bool = False) -> dict[str, object]:
    """What the table's template needs besides the choice of cards and the invitation."""
    return {
        "seen": seen,
        "bottom": seen.seat or 0,
        "said": said,
        "wrong": wrong,
        "sure": sure,
        "lesson": lesson(seen),
        "won": _won(seen),
        "last_words": _last_words(seen),
    }


def _won(seen: Seen) -> list[tuple[str, int]]:
    """The tokens that the last sale brought."""
    if not seen.log or seen.log[-1].round != seen.round or "+" in seen.log[-1].move:
        return []
    sold = seen.log[-1].move[1:]
    good = LETTERS.index(sold[0])
    after = seen.discard[good]
    return [(sold[0], value) for value in GOODS_TOKENS[good][after - len(sold) : after]]


def _last_words(seen: Seen) -> list[tuple[str, str]]:
    """What happened since this seat moved; for a spectator the last move."""
    since: list[tuple[str, str]] = []
    for logged in reversed(seen.log):
        if logged.seat == seen.seat or (seen.seat is None and since):
            break
        since.insert(0, (name_of(seen.sides[logged.seat]), move_in_words(Move.parse(logged.move))))
    return since


def rules_html() -> str:
    """The rules page in the current language."""
    return str(MarkdownIt("commonmark").enable("table").render(rules_text()))
