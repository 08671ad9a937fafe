"""The graph of a round: the chance of seat 0 after each move, drawn in letters or as SVG."""

from jaipur.review.grades import FAULTS
from jaipur.review.review import Ply, RoundReview

_ROWS = 9
_WIDTH, _HEIGHT, _EDGE = 720.0, 220.0, 28.0


def chances(part: RoundReview) -> list[float]:
    """Before the first move, and after each."""
    return [part.opening, *(ply.win for ply in part.plies)]


def text_graph(part: RoundReview, width: int) -> list[str]:
    """Rows of letters from 100% down to 0%: a dot for each position, a cross for a fault.

    Where the width is small, several positions share a column.
    """
    line = chances(part)
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
    """The same as a picture. Its colours are classes, so that a page can have them light and dark."""
    line = chances(part)
    step = (_WIDTH - 2 * _EDGE) / max(len(line) - 1, 1)
    places = [(_EDGE + step * number, _y(win)) for number, win in enumerate(line)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    grid = "".join(
        f'<line class="grid" x1="{_EDGE}" x2="{_WIDTH - _EDGE}" y1="{_y(win):.1f}" y2="{_y(win):.1f}"/>'
        f'<text class="axis" x="2" y="{_y(win) + 4:.1f}">{100 * win:.0f}</text>'
        for win in (0.0, 0.5, 1.0)
    )
    marks = "".join(_marks(ply, *places[number]) for number, ply in enumerate(part.plies, 1))
    return (
        f'<svg class="graph" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" aria-label="{title}">'
        f'{grid}<polyline class="line" points="{path}"/>{marks}</svg>'
    )


def _y(win: float) -> float:
    return _EDGE / 2 + (1 - win) * (_HEIGHT - _EDGE)


def _marks(ply: Ply, x: float, y: float) -> str:
    """A bar for the luck that moved the line to where it is, and a point for a fault."""
    drawn = ""
    if ply.luck:
        drawn += f'<line class="luck" x1="{x:.1f}" x2="{x:.1f}" y1="{_y(ply.win - ply.luck):.1f}" y2="{y:.1f}"/>'
    if ply.grade.label in FAULTS:
        drawn += f'<circle class="seat{ply.seat} {ply.grade.label}" cx="{x:.1f}" cy="{y:.1f}" r="5"/>'
    return drawn
