"""The store: an append-only log of games in a database."""

from jaipur.store.database import default_database, open_database
from jaipur.store.people import DeviceLink, People, Person, PlayedGame
from jaipur.store.reviews import Reviewed, ReviewRow, ReviewShelf
from jaipur.store.rows import Event, Figures, GameRow, Listed, NewGame, Result, SeatRow
from jaipur.store.store import Store, Taken
from jaipur.store.writing.write_queue import Busy, StoreError

__all__ = [
    "Busy",
    "DeviceLink",
    "Event",
    "Figures",
    "GameRow",
    "Listed",
    "NewGame",
    "People",
    "Person",
    "PlayedGame",
    "Result",
    "ReviewRow",
    "ReviewShelf",
    "Reviewed",
    "SeatRow",
    "Store",
    "StoreError",
    "Taken",
    "default_database",
    "open_database",
]
