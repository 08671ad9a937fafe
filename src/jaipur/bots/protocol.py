"""The protocol of external bots: one line of JSON for the question, one for the answer (docs/bots.md)."""

import json

from jaipur.bots.player import Budget, Clock
from jaipur.notation import parse_view
from jaipur.rules.bag import count, letters, size
from jaipur.rules.bonus import bonus_values
from jaipur.rules.box import BONUS_PILES, GOODS, LETTERS
from jaipur.rules.discard import discarded
from jaipur.rules.errors import N_, NotationError
from jaipur.rules.move import Move
from jaipur.rules.view import View


def question(view: View, budget: Budget) -> str:
    """The question to a bot: its view, its legal moves, its budget."""
    return json.dumps(
        {
            "view": view_fields(view),
            "position": str(view),
            "legal": [str(move) for move in view.legal_moves()],
            "budget": {"seconds": budget.seconds, "worlds": budget.worlds, "clock": budget.clock},
        }
    )


def view_fields(view: View) -> dict[str, object]:
    """A view as plain JSON."""
    me, rival = view.me, view.rival
    return {
        "seat": view.seat,
        "market": letters(view.market),
        "deck": view.deck_size,
        "discard": "".join(LETTERS[good] * discarded(view.discard, good) for good in range(GOODS)),
        "bonus_left": [count(view.bonus_left, pile) for pile in range(BONUS_PILES)],
        "hand": letters(me.hand),
        "herd": me.herd,
        "shown": letters(me.known),
        "goods_rupees": me.goods_rupees,
        "goods_tokens": me.goods_tokens,
        "bonus": bonus_values(me.bonus),
        "rival": {
            "hand_size": rival.hand_size,
            "known": letters(rival.known),
            "unknown": rival.hand_size - size(rival.known),
            "herd": rival.herd,
            "goods_rupees": rival.goods_rupees,
            "goods_tokens": rival.goods_tokens,
            "bonus_taken": [count(rival.bonus_taken, pile) for pile in range(BONUS_PILES)],
        },
        "quiet": view.quiet,
    }


def answer(move: Move) -> str:
    """A bot's answer."""
    return json.dumps({"move": str(move)})


def read_question(line: str) -> tuple[View, Budget]:
    """The view and the budget in a question."""
    try:
        fields = json.loads(line)
        budget = fields.get("budget") or {}
        clock = Clock(budget.get("clock", Clock.WALL))
        return parse_view(fields["position"]), Budget(budget.get("seconds"), budget.get("worlds"), clock)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotationError(N_("A question is one line of JSON with “position” and “budget”.")) from error


def read_answer(line: str) -> Move:
    """The move in an answer."""
    try:
        text = json.loads(line)["move"]
    except (ValueError, KeyError, TypeError) as error:
        raise NotationError(
            N_("The answer “{text}” is not JSON of the form {example}."), text=line[:40], example='{"move": "+D"}'
        ) from error
    return Move.parse(str(text))
