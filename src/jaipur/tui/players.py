"""What the players of a match are called. Of people, a record has only the names they chose.

A person who plays a bot without having given a name is `you`; two people without names are Player 1 and Player 2.
"""

from jaipur.bots import LEVELS
from jaipur.language import _
from jaipur.language.words import deed_in_words, own_deed_in_words, sentence_start, victory_in_words
from jaipur.record import Ended, Loss, Record, bot_of
from jaipur.rules.move import Move


class Players:
    """Both players of a record, in the current language."""

    def __init__(self, record: Record) -> None:
        self.names = record.players
        self.bots = bot_of(self.names[0]), bot_of(self.names[1])
        self.shown = self._shown(0), self._shown(1)
        self.people_only = self.bots == (None, None)

    def is_you(self, seat: int) -> bool:
        """Whether sentences address this player as `you`."""
        return not self.names[seat] and self.bots[1 - seat] is not None

    def called(self, seat: int) -> str:
        """The name within a sentence: `the Trader`, `Ann`."""
        bot = self.bots[seat]
        return LEVELS[bot].shown_name if bot in LEVELS else self.shown[seat]

    def rival(self, seat: int) -> str:
        """What sentences about this player's moves call the other player; empty where that would be `you`."""
        return "" if self.is_you(1 - seat) else self.called(1 - seat)

    def deed(self, seat: int, move: Move) -> str:
        """What this player did: `You take the gold`, `The Trader takes the gold`."""
        return own_deed_in_words(move) if self.is_you(seat) else deed_in_words(self.called(seat), move)

    def gets_seal(self, seat: int) -> str:
        """Says that this player won the round."""
        return _("You get the seal.") if self.is_you(seat) else self._about(_("{name} gets the seal."), seat)

    def wins(self, seat: int) -> str:
        """Says that this player won the match."""
        return _("You win the match!") if self.is_you(seat) else victory_in_words(self.called(seat))

    def ended(self, ended: Ended) -> str:
        """Says how a player lost the match before its end."""
        if self.is_you(ended.seat):
            return _("You ran out of time.") if ended.by is Loss.TIME else _("You resigned the match.")
        told = _("{name} ran out of time.") if ended.by is Loss.TIME else _("{name} resigned the match.")
        return self._about(told, ended.seat)

    def seals(self, seals: tuple[int, int]) -> str:
        """The seals of both players: `You ●○ · Trader ○○`."""
        return " · ".join(f"{name} {'●' * n}{'○' * (2 - n)}" for name, n in zip(self.shown, seals, strict=True))

    def _about(self, sentence: str, seat: int) -> str:
        return sentence.format(name=sentence_start(self.called(seat)))

    def _shown(self, seat: int) -> str:
        bot = self.bots[seat]
        if bot is not None:
            return LEVELS[bot].shown_title if bot in LEVELS else bot
        if self.is_you(seat):
            return _("You")
        return self.names[seat] or (_("Player 1"), _("Player 2"))[seat]
