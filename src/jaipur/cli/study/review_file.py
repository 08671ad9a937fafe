"""The review as one self-contained HTML page, to keep or to send to a friend."""

from jinja2 import Environment, PackageLoader, StrictUndefined

from jaipur.coach.coach_words import hints_in_words, points
from jaipur.coach.page import ReviewPage
from jaipur.language import _, current_language, ngettext
from jaipur.record import Record
from jaipur.tui.players import Players


def html_page(page: ReviewPage, record: Record, players: Players) -> str:
    """The whole page, in the current language."""
    environment = Environment(
        loader=PackageLoader("jaipur.cli.study"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template("review.html").render(
        _=_,
        ngettext=ngettext,
        lang=current_language(),
        names=players.shown,
        end=record.result if record.ended is None else players.ended(record.ended),
        date=record.date,
        hints=hints_in_words(record.hints) if any(record.hints) else "",
        page=page,
        no_luck=points(0.0),
    )
