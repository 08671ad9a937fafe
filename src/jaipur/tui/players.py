"""What the players of a match are called. Of people, a record has only the names they chose.

A person who plays a bot without having given a name is `you`; two people without names are Player 1 and Player 2.
"""

from jaipur.bots import LEVELS
from jaipur.language import _
from jaipur.language.words import Names, sentence_start, victory_in_words
from jaipur.record import Ended, Loss, Record, bot_of


class Players(Names):
    """Both players of a record, in the current language."""

    def __init__(self, record: Record) -> None:
        self.bots = bot_of(record.players[0]), bot_of(record.players[1])
        self.people_only = self.bots == (None, None)
        you = next((seat for seat in (0, 1) if not record.players[seat] and self.bots[1 - seat] is not None), None)
        shown = [self._shown(seat, name, you) for seat, name in enumerate(record.players)]
        inside = [LEVELS[bot].shown_name if bot in LEVELS else name for bot, name in zip(self.bots, shown, strict=True)]
        super().__init__((shown[0], shown[1]), (inside[0], inside[1]), you)

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
        sentence = _("{name} ran out of time.") if ended.by is Loss.TIME else _("{name} resigned the match.")
        return self._about(sentence, ended.seat)

    def seals(self, seals: tuple[int, int]) -> str:
        """The seals of both players: `You ●○ · Trader ○○`."""
        return " · ".join(f"{name} {'●' * n}{'○' * (2 - n)}" for name, n in zip(self.shown, seals, strict=True))

    def _about(self, sentence: str, seat: int) -> str:
        return sentence.format(name=sentence_start(self.called(seat)))

    def _shown(self, seat: int, name: str, you: int | None) -> str:
        bot = self.bots[seat]
        if bot is not None:
            return LEVELS[bot].shown_title if bot in LEVELS else bot
        return _("You") if seat == you else name or (_("Player 1"), _("Player 2"))[seat]
