"""The graph of a round: seat 0's chance after each move, drawn as text or as SVG."""

from html import escape

from jaipur.coach.coach_words import percent
from jaipur.coach.grades import FAULTS
from jaipur.coach.review import Ply, RoundReview

_ROWS = 9
_WIDTH, _HEIGHT = 720.0, 270.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 6.0, 84.0, 14.0, 34.0
"""The margins around the line; percentages go to the right of it, move numbers below."""
_TICK = 10
_SHAPES = "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z", "M0-7 7 0 0 7-7 0Z"
"""A disc for a fault of seat 0, a diamond for seat 1, because not everybody can tell their colours apart."""


def text_graph(part: RoundReview, width: int) -> list[str]:
    """Rows of characters from 100% down to 0%: a dot for each position, a cross for a fault.

    If the width is small, several positions share a column.
    """
    line = part.chances
    columns = min(len(line), max(width, 2))
    rows = [[" "] * columns for _ in range(_ROWS)]
    for column in range(columns):
        rows[_ROWS // 2][column] = "·"
    for number, win in enumerate(line):
        column = number * columns // len(line)
        fault = number > 0 and part.plies[number - 1].grade.label in FAULTS
        at = round((1 - win) * (_ROWS - 1))
        if fault or rows[at][column] != "×":
            rows[at][column] = "×" if fault else "•"
    return ["".join(row) for row in rows]


def svg_graph(part: RoundReview, title: str) -> str:
    """The same as a picture. Its colours are CSS classes, so that a page can have a light and a dark version."""
    line = part.chances
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(line) - 1, 1)
    places = [(_LEFT + step * number, _y(win)) for number, win in enumerate(line)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = "".join(_marks(ply, *places[number]) for number, ply in enumerate(part.plies, 1))
    return (
        f'<svg class="graph" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" aria-label="{escape(title)}">'
        f'{_grid()}{_ticks([x for x, _y in places])}<polyline class="line" points="{path}"/>{marks}</svg>'
    )


def _grid() -> str:
    end = _WIDTH - _RIGHT
    return "".join(
        f'<line class="grid" x1="{_LEFT:.0f}" x2="{end:.0f}" y1="{_y(win):.1f}" y2="{_y(win):.1f}"/>'
        f'<text class="axis" x="{end + 6:.0f}" y="{_y(win) + 5:.1f}">{percent(win)}</text>'
        for win in (0.0, 0.5, 1.0)
    )


def _ticks(across: list[float]) -> str:
    """Numbers every tenth move below the line."""
    return "".join(
        f'<text class="axis tick" x="{across[number]:.1f}" y="{_HEIGHT - 8:.0f}">{number}</text>'
        for number in range(_TICK, len(across), _TICK)
    )


def _y(win: float) -> float:
    return _TOP + (1 - win) * (_HEIGHT - _TOP - _BOTTOM)


def _marks(ply: Ply, x: float, y: float) -> str:
    """A bar for the luck that moved the line here, and a mark for a fault."""
    marks = ""
    if ply.luck:
        marks += f'<line class="luck" x1="{x:.1f}" x2="{x:.1f}" y1="{_y(ply.win - ply.luck):.1f}" y2="{y:.1f}"/>'
    if ply.grade.label in FAULTS:
        place = f'transform="translate({x:.1f} {y:.1f})"'
        marks += f'<g class="seat{ply.seat} {ply.grade.label}" {place}><path d="{_SHAPES[ply.seat]}"/></g>'
    return marks
