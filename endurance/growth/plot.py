"""The figures of the growth as a picture: a small graph for each, in one self-contained SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT, _GAP = 240.0, 150.0, 18.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 38.0, 4.0, 30.0, 34.0
_INSET = 16.0
"""The distance of the first and the last point from the ends, so that their figures stay clear of the scale."""
_COLUMNS = 3
_STYLE = """
:root { color-scheme: light dark }
.back { fill: #fff } .grid { stroke: #ddd } .line { stroke: #b4451f; fill: none; stroke-width: 2 }
circle { fill: #b4451f } text { fill: #333; font: 10px system-ui, sans-serif } .faint { fill: #666 }
.title { font-weight: 600; font-size: 11px }
@media (prefers-color-scheme: dark) {
.back { fill: #161616 } .grid { stroke: #3a3a3a } .line { stroke: #ff9a6b } circle { fill: #ff9a6b }
text { fill: #e6e6e6 } .faint { fill: #a5a5a5 }
}
"""


@dataclass(frozen=True)
class Panel:
    """One graph: which figure of which measurement, against what. The x axis is linear for memory, else logarithmic."""

    series: str
    by: str
    figure: str
    title: str
    below: str
    in_step: bool = False


_MOVES, _WAIT, _COST = "moves per second", "answer, 99th percentile, ms", "processor time per move, ms"
_SPEEDS = (("moves_per_s", _MOVES), ("answer_ms_99", _WAIT), ("cpu_ms_per_move", _COST))
_MEMORY = "memory of the server, MB"
PANELS = (
    *(Panel("listeners", "listeners", figure, title, "listeners") for figure, title in _SPEEDS),
    *(Panel("games", "games", figure, title, "games in the database") for figure, title in _SPEEDS),
    *(Panel("plies", "plies", figure, title, "moves before in the game") for figure, title in _SPEEDS),
    *(Panel("processes", "processes", figure, title, "server processes") for figure, title in _SPEEDS),
    Panel("games", "games", "start_cpu_s", "processor time to start, s", "games in the database"),
    Panel("memory_of_listeners", "listeners", "memory_mb", _MEMORY, "listeners", in_step=True),
    Panel("memory_of_tables", "tables", "memory_mb", _MEMORY, "kept tables", in_step=True),
)


def drawn(figures: dict[str, object]) -> str:
    """All graphs for which there are figures."""
    panels = [panel for panel in PANELS if panel.series in figures]
    graphs = "".join(_placed(number, _graph(panel, figures)) for number, panel in enumerate(panels))
    width = min(len(panels), _COLUMNS) * (_WIDTH + _GAP) + _GAP
    height = math.ceil(len(panels) / _COLUMNS) * (_HEIGHT + _GAP) + _GAP
    title = escape("How cost grows")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{title}"><style>{_STYLE}</style>'
        f'<rect class="back" width="100%" height="100%"/>{graphs}</svg>\n'
    )


def _placed(number: int, graph: str) -> str:
    x, y = _GAP + number % _COLUMNS * (_WIDTH + _GAP), _GAP + number // _COLUMNS * (_HEIGHT + _GAP)
    return f'<g transform="translate({x:.0f} {y:.0f})">{graph}</g>\n'


def _graph(panel: Panel, figures: dict[str, object]) -> str:
    points: list[dict[str, float]] = figures[panel.series]  # type: ignore[assignment]
    sizes, values = [point[panel.by] for point in points], [point[panel.figure] for point in points]
    top = _round_up(max(values))
    places = list(zip(_across(sizes, panel.in_step), (_y(value / top) for value in values), strict=True))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    return (
        _text(0, 12, panel.title, "title")
        + "".join(_grid(share, top * share) for share in (0.0, 0.5, 1.0))
        + f'<polyline class="line" points="{path}"/>'
        + "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places)
        + "".join(_text(x, _y(0) + 14, _short(size), "middle") for (x, _y_), size in zip(places, sizes, strict=True))
        + "".join(_text(*_beside(places, at), _short(values[at]), "middle") for at in {0, len(values) - 1})
        + _text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 6, panel.below, "middle faint")
    )


def _across(sizes: Sequence[float], in_step: bool) -> list[float]:
    scaled = list(sizes) if in_step else [math.log(size) for size in sizes]
    span = (scaled[-1] - scaled[0]) or 1.0
    left, right = _LEFT + _INSET, _WIDTH - _RIGHT - _INSET
    return [left + (size - scaled[0]) / span * (right - left) for size in scaled]


def _y(share: float) -> float:
    return _TOP + (1 - share) * (_HEIGHT - _TOP - _BOTTOM)


def _beside(places: list[tuple[float, float]], at: int) -> tuple[float, float]:
    """Above a point, or below it if the point is near the top."""
    x, y = places[at]
    return x, y - 6 if y > _TOP + 12 else y + 14


def _grid(share: float, value: float) -> str:
    line = f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{_y(share):.1f}" y2="{_y(share):.1f}"/>'
    return line + _text(_LEFT - 5, _y(share) + 3, _short(value), "end faint")


def _text(x: float, y: float, text: str, kind: str) -> str:
    anchor = next((word for word in ("middle", "end") if word in kind), "start")
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _round_up(value: float) -> float:
    """The first of 1, 2, 5, 10, 20, ... that is not below a value."""
    power = 10.0 ** math.floor(math.log10(value)) if value > 0 else 1.0
    return next(power * step for step in (1, 2, 5, 10) if power * step >= value) if value > 0 else 1.0


def _short(value: float) -> str:
    """A figure in about four characters."""
    for unit, letter in ((1_000_000, "M"), (1000, "k")):
        if value >= unit:
            return f"{value / unit:.3g}{letter}"
    return f"{value:.3g}"
