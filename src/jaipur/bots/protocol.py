"""The language of external bots: one line of JSON asks, one answers (docs/bots.md)."""

import json

from jaipur.bots.player import Budget
from jaipur.core.bag import count, letters, size, tally
from jaipur.core.box import BONUS_PILES, GOODS, LETTERS
from jaipur.core.errors import N_, NotationError
from jaipur.core.move import Move
from jaipur.core.trader import bonus_values
from jaipur.core.view import View
from jaipur.notation import parse_view, view_text


def question(view: View, budget: Budget) -> str:
    """What a bot is asked: its view, its legal moves, its budget."""
    return json.dumps(
        {
            "view": view_fields(view),
            "position": view_text(view),
            "legal": [str(move) for move in view.legal_moves()],
            "budget": {"seconds": budget.seconds, "worlds": budget.worlds},
        }
    )


def view_fields(view: View) -> dict[str, object]:
    """A view as plain JSON."""
    me, rival = view.me, view.rival
    return {
        "seat": view.seat,
        "market": letters(view.market),
        "deck": view.deck_size,
        "discard": "".join(LETTERS[good] * tally(view.discard, good) for good in range(GOODS)),
        "bonus_left": [count(view.bonus_left, pile) for pile in range(BONUS_PILES)],
        "hand": letters(me.hand),
        "herd": me.herd,
        "goods_rupees": me.goods_rupees,
        "bonus": bonus_values(me.bonus),
        "rival": {
            "hand_size": rival.hand_size,
            "known": letters(rival.known),
            "unknown": rival.hand_size - size(rival.known),
            "herd": rival.herd,
            "goods_rupees": rival.goods_rupees,
            "bonus_taken": [count(rival.bonus_taken, pile) for pile in range(BONUS_PILES)],
        },
    }


def answer(move: Move) -> str:
    """What a bot answers."""
    return json.dumps({"move": str(move)})


def read_question(line: str) -> tuple[View, Budget]:
    """The view and the budget of a question."""
    try:
        fields = json.loads(line)
        budget = fields.get("budget") or {}
        return parse_view(fields["position"]), Budget(budget.get("seconds"), budget.get("worlds"))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotationError(N_("A question is one line of JSON with “position” and “budget”.")) from error


def read_answer(line: str) -> Move:
    """The move of an answer."""
    try:
        text = json.loads(line)["move"]
    except (ValueError, KeyError, TypeError) as error:
        raise NotationError(
            N_("The answer “{text}” is not JSON like this: {example}."), text=line[:40], example='{"move": "+D"}'
        ) from error
    return Move.parse(str(text))
