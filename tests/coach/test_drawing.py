"""The graph of a round, as text and as SVG."""

import re

from jaipur import Move
from jaipur.coach.drawing import svg_graph, text_graph
from jaipur.coach.grades import Grade, Label
from jaipur.coach.review import Ply, RoundReview, Sum


def drawn_round() -> RoundReview:
    """One fault by each seat, between moves that are not faults."""
    labels = (Label.FINE, Label.BLUNDER, Label.MISTAKE, Label.CLOSE)
    wins = (0.6, 0.9, 0.4, 1.0)
    plies = tuple(
        Ply(number % 2, Move.parse("+D"), Grade("+G", 0.1, 0.01, label), win, 0.05)
        for number, (label, win) in enumerate(zip(labels, wins, strict=True))
    )
    return RoundReview(0, 0.5, plies, Sum(1, 0.6, 0, 0, 0, 0, 0, 0))


def test_the_faults_of_the_two_players_differ_in_shape_and_not_in_colour_alone() -> None:
    svg = svg_graph(drawn_round(), "chance")
    marks = re.findall(r'<g class="seat(\d) (\w+)"[^>]*><path d="([^"]+)"/>', svg)
    assert [(seat, label) for seat, label, _shape in marks] == [("1", "blunder"), ("0", "mistake")]
    assert marks[0][2] != marks[1][2]


def test_the_graph_in_letters_has_a_cross_for_each_fault() -> None:
    rows = text_graph(drawn_round(), 80)
    assert "".join(rows).count("×") == 2
    assert rows[0] == "    •"
    assert {len(row) for row in rows} == {5}
