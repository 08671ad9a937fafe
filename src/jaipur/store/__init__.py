"""The store: an append-only log of games in a database."""

from jaipur.store.database import StoreError, default_database, open_database
from jaipur.store.store import Event, Game, Listed, Seat, Store, Taken

__all__ = ["Event", "Game", "Listed", "Seat", "Store", "StoreError", "Taken", "default_database", "open_database"]
