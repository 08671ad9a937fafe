"""What is said about games that players were told of."""

import pytest
from endurance.support.verdict import set_up_twice


@pytest.mark.parametrize(("made", "playing", "twice"), [(3, ["a", "b"], 0), (4, ["a", ""], 0), (5, ["a", ""], 1)])
def test_a_game_that_nobody_was_told_of_was_set_up_twice(made: int, playing: list[str], twice: int) -> None:
    """A player without a game at the end may have asked for one and got no answer."""
    assert set_up_twice(made, 3, playing) == twice
