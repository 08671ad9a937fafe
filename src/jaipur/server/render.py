"""Templates and what they may call."""

import hashlib
import secrets
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from jaipur import art
from jaipur.bots import LEVELS
from jaipur.language import LANGUAGES, _, current_language, ngettext
from jaipur.language.words import cards_in_words, deed_in_words, kind_name, sentence_start, victory_in_words
from jaipur.rules import box
from jaipur.rules.bag import letters
from jaipur.rules.box import BONUS_TOKENS, LETTERS, SMALLEST_BONUS_SALE
from jaipur.rules.move import Move
from jaipur.server.lesson.lesson import LOW_DECK
from jaipur.server.lesson.lesson_words import LEARNED, TIPS
from jaipur.server.live.presence import EMOTES
from jaipur.server.site.rules_page import rule_titles
from jaipur.store import Listed
from jaipur.table import GameKind, Seen
from jaipur.table.clock import PACES, read_pace
from jaipur.table.events import Logged
from jaipur.table.seen.labels import label_of

STATIC = Path(__file__).parent / "static"
ART = Path(art.__file__).parent
OPPONENTS = [level.name for level in LEVELS.values() if level.for_people]
_HASH_LENGTH = 10
_MINUTE, _HOUR, _DAY = 60, 3600, 24 * 3600


@cache
def asset(name: str) -> str:
    """The address of a static file. It changes with the content, so browsers may cache the file forever."""
    file = ART / name.removeprefix("art/") if name.startswith("art/") else STATIC / name
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:_HASH_LENGTH]
    return f"/static/{name}?v={digest}"


def _deed(seen: Seen, logged: Logged) -> str:
    """What a player did, in the third person."""
    return deed_in_words(seen.sides[logged.seat].called, Move.parse(logged.move))


def _listed_names(listed: Listed) -> list[str]:
    """The players of a listed game; an empty name for a free seat."""
    kind = GameKind(listed.kind)
    return [
        "" if name is None else label_of(kind, seat, name, level)
        for seat, (name, level) in enumerate(zip(listed.names, listed.levels, strict=True))
    ]


def _when(ms: int) -> Markup:
    """A time, in UTC until a script puts it into the reader's language and time zone."""
    at = datetime.fromtimestamp(ms / 1000, UTC)
    return Markup('<time datetime="{}">{} UTC</time>').format(at.isoformat("T", "seconds"), f"{at:%Y-%m-%d %H:%M}")


def _listed_face(listed: Listed) -> str:
    """The picture of the other player."""
    other = 1 - listed.seat
    return listed.levels[other] or face(listed.avatars[other], "friend")


def face(avatar: str, plain: str) -> str:
    """A person's picture; the plain one if they have chosen none."""
    return f"avatar-{avatar}" if avatar else plain


def _pile_of(value: int) -> int:
    """The number of cards sold that earns a bonus token of this value (R3)."""
    pile = next(pile for pile, tokens in enumerate(BONUS_TOKENS) if value in tokens)
    return pile + SMALLEST_BONUS_SALE


def _pace_words(text: str) -> str:
    """How long players may think."""
    pace = read_pace(text)
    if pace is None:
        return _("No clock")
    if pace.per_move:
        days = pace.each // (1000 * _DAY)
        return ngettext("{number} day per move", "{number} days per move", days).format(number=days)
    return _("{minutes} minutes each per match, plus {seconds} seconds per move").format(
        minutes=pace.each // (1000 * _MINUTE), seconds=pace.increment // 1000
    )


def _time_words(left: int) -> str:
    """What is left on a clock: 4:05, 1:04:05, or days and hours."""
    seconds = max(0, -(-left // 1000))
    if seconds >= _DAY:
        days = ngettext("{number} day", "{number} days", seconds // _DAY).format(number=seconds // _DAY)
        return _("{days} {hours} h").format(days=days, hours=seconds % _DAY // _HOUR)
    minutes, seconds = divmod(seconds, _MINUTE)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@cache
def _environment() -> Environment:
    """All templates. Each is compiled once in a process; what differs between servers is in the context."""
    environment = Environment(
        loader=PackageLoader("jaipur.server"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.globals.update(
        _=_,
        ngettext=ngettext,
        languages=LANGUAGES,
        low_deck=LOW_DECK,
        learned=LEARNED,
        tips=TIPS,
        rule_title=lambda anchor: rule_titles()[anchor],
        box=box,
        asset=asset,
        kind_name=lambda letter: kind_name(LETTERS.index(letter)),
        pile_of=_pile_of,
        art_of=lambda letter: art.CARD_ART[LETTERS.index(letter)],
        deed=_deed,
        taken=lambda move: letters(Move.parse(move).take),
        given=lambda move: letters(Move.parse(move).give),
        starting=sentence_start,
        victory=victory_in_words,
        listed_names=_listed_names,
        listed_face=_listed_face,
        avatars=art.AVATARS,
        emotes=EMOTES,
        paces=PACES,
        pace_words=_pace_words,
        time_words=_time_words,
        face=face,
        sale_words=lambda cards: cards_in_words(Move.parse(f"-{cards}").give),
        level_name=lambda level: LEVELS[level].shown_title,
        level_called=lambda level: LEVELS[level].shown_name,
        level_line=lambda level: LEVELS[level].shown_character,
        when=_when,
    )
    return environment


class Renderer:
    """Renders pages. The source of form keys is a parameter, so that tests can fix it."""

    def __init__(self, fresh_key: Callable[[], str] = lambda: secrets.token_urlsafe(12)) -> None:
        self.fresh_key = fresh_key
        self.push_key = ""

    def page(self, request: Request, template: str, context: Mapping[str, object], status: int = 200) -> HTMLResponse:
        """A page or a part of one."""
        known = {
            "key": self.fresh_key,
            "push_key": self.push_key,
            "lang": current_language(),
            "settings": request.state.settings,
            "path": request.url.path,
            "base": str(request.base_url).rstrip("/"),
        }
        return HTMLResponse(_environment().get_template(template).render(known, **context), status)
