"""Errors travel between processes without losing a word."""

import pickle

import pytest

from jaipur import IllegalMove, JaipurError, NotationError
from jaipur.bots.external import Forfeit
from jaipur.record import RecordError
from jaipur.rules.errors import N_

ERRORS = [
    JaipurError(N_("{path} cannot be read: {reason}."), path="x", reason="gone"),
    IllegalMove(N_("The round is over (R22).")),
    NotationError("{a} {b}", a=1, b="2"),
    Forfeit("{command} has ended.", command="./bot"),
    RecordError(3, JaipurError("{what} is missing.", what="The seed")),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_of_another_process_is_the_same_error(error: JaipurError) -> None:
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
