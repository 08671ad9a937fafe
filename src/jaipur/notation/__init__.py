"""A position as text, with `?` for every card or token that the viewer cannot see.

    view 0 / turn 0 / starter 0 / quiet 3
    market DDSLM / deck ?????????? / discard LLC
    bonus3 ???? / bonus4 ? / bonus5 ???
    seat0 hand GGSL known S herd 2 rupees 12 tokens 3 bonus 2 5
    seat1 hand CC??? herd 1 rupees 9 tokens 2 bonus 3?

Parts are divided by slashes or line ends. A view names its seat; a full round does not, and has no `?`. The opponent's
hand shows the cards that were taken in the open. A bonus token that the viewer cannot see shows its pile.
"""

from jaipur.notation.read import parse_round, parse_view
from jaipur.notation.write import round_text, view_text

__all__ = ["parse_round", "parse_view", "round_text", "view_text"]
