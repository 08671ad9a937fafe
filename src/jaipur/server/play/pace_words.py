"""Clocks in words."""

from jaipur.language import _, ngettext
from jaipur.table.clock import read_pace

_MINUTE, _HOUR, _DAY = 60, 3600, 24 * 3600


def pace_words(text: str) -> str:
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


def time_words(left: int) -> str:
    """What is left on a clock: 4:05, 1:04:05, or days and hours."""
    seconds = max(0, -(-left // 1000))
    if seconds >= _DAY:
        days = ngettext("{number} day", "{number} days", seconds // _DAY).format(number=seconds // _DAY)
        return _("{days} {hours} h").format(days=days, hours=seconds % _DAY // _HOUR)
    minutes = f"{seconds % _HOUR // _MINUTE:02}" if seconds >= _HOUR else str(seconds // _MINUTE)
    return (
        f"{seconds // _HOUR}:{minutes}:{seconds % _MINUTE:02}"
        if seconds >= _HOUR
        else f"{minutes}:{seconds % _MINUTE:02}"
    )
