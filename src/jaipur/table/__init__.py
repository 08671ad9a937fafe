"""Tables: who sits where, whose turn it is, and what each onlooker may see. No HTTP here."""

from jaipur.table.errors import Damaged, GameOver, KeyUsed, NoSuchGame, NotAllowed, NotSeated, Stale
from jaipur.table.events import GameKind, Speed, Status
from jaipur.table.new_games import Seating
from jaipur.table.secrets import fresh_secret, hashed, invite_secret
from jaipur.table.seen.seen import Seen, SeenSide, Sheet, see
from jaipur.table.table import Table
from jaipur.table.tables import Tables

__all__ = [
    "Damaged",
    "GameKind",
    "GameOver",
    "KeyUsed",
    "NoSuchGame",
    "NotAllowed",
    "NotSeated",
    "Seating",
    "Seen",
    "SeenSide",
    "Sheet",
    "Speed",
    "Stale",
    "Status",
    "Table",
    "Tables",
    "fresh_secret",
    "hashed",
    "invite_secret",
    "see",
]
