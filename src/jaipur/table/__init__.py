"""The table room: who sits where, whose turn it is, and what each onlooker may see. No HTTP here."""

from jaipur.table.errors import GameOver, KeyUsed, NoSuchGame, NotAllowed, NotSeated, Stale
from jaipur.table.seen import Seen, Sheet, Side
from jaipur.table.table import GameKind, Table
from jaipur.table.tables import Company, Tables
from jaipur.table.tokens import fresh_token, hashed, invite_token

__all__ = [
    "Company",
    "GameKind",
    "GameOver",
    "KeyUsed",
    "NoSuchGame",
    "NotAllowed",
    "NotSeated",
    "Seen",
    "Sheet",
    "Side",
    "Stale",
    "Table",
    "Tables",
    "fresh_token",
    "hashed",
    "invite_token",
]
