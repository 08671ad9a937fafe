"""What can be wrong with a request to a table."""

from jaipur.rules.errors import N_, JaipurError


class NoSuchGame(JaipurError):
    """No game has this id, or no invitation has this secret."""

    def __init__(self, sentence: str = N_("There is no such game: check the address.")) -> None:
        super().__init__(sentence)


class NotSeated(JaipurError):
    """The client has no seat here."""

    def __init__(self, sentence: str = N_("You have no seat at this table.")) -> None:
        super().__init__(sentence)


class Stale(JaipurError):
    """The table has changed since the client last looked at it."""

    def __init__(self) -> None:
        super().__init__(N_("The table has changed in the meantime: look again."))


class GameOver(JaipurError):
    """The match has ended."""

    def __init__(self) -> None:
        super().__init__(N_("The match is over (R26)."))


class NotAllowed(JaipurError):
    """Not now, or not in this kind of game."""


class Damaged(JaipurError):
    """The stored game cannot be read: a fault on our side."""

    def __init__(self) -> None:
        super().__init__(N_("This game is damaged and cannot be shown. It was logged; other games are not affected."))


class KeyUsed(JaipurError):
    """The same idempotency key came with two different requests."""

    def __init__(self) -> None:
        super().__init__(N_("This idempotency key was used for another request: use a new one."))
