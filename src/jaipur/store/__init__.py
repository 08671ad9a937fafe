"""The store: an append-only log of games in a database."""

from jaipur.store.database import default_database, open_database
from jaipur.store.people import FinishedGame, People, Person
from jaipur.store.review_shelf import Reviewed, ReviewShelf
from jaipur.store.schema import DeviceLink, Event, GameRow, MatchFigures, Result, ReviewRow, SeatRow
from jaipur.store.store import Listed, NewGame, Store, Taken
from jaipur.store.writing.write_queue import Busy, StoreError

__all__ = [
    "Busy",
    "DeviceLink",
    "Event",
    "FinishedGame",
    "GameRow",
    "Listed",
    "MatchFigures",
    "NewGame",
    "People",
    "Person",
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
