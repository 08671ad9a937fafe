"""What went wrong with a database, as one sentence for a person."""

from sqlalchemy.exc import DBAPIError

from jaipur.rules.errors import N_
from jaipur.store.postgres import postgres_engine as postgres
from jaipur.store.writing.write_queue import Away, Busy, StoreError

LOCKED = N_("The database {where} is locked by another program: close it, or use another file.")
_REASONS = (
    ("database is locked", LOCKED),
    ("readonly", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("read-only", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("unable to open", N_("The database {where} cannot be opened: check that the file may be read and written.")),
    ("disk is full", N_("The disk is full: nothing was written. Make room and try again.")),
    ("disk I/O error", N_("The disk reports an error: nothing was written to {where}.")),
    ("not a database", N_("{where} is damaged or not a Jaipur database: restore it from a copy, or use another file.")),
    ("malformed", N_("{where} is damaged or not a Jaipur database: restore it from a copy, or use another file.")),
)  # fmt: skip


def explained(error: DBAPIError, where: str, opened: bool = False) -> StoreError:
    """The sentence for an error of the driver. Once a database has been opened, a lock on it is temporary."""
    message = str(error.orig).partition("\n")[0]
    if (known := postgres.reason_of(error)) is not None:
        return StoreError(known, where=where)
    if postgres.is_away(error):
        away = N_("The database {where} cannot be reached: {reason}.")
        return Away() if opened else StoreError(away, where=where, reason=message)
    if opened and "database is locked" in message:
        return Busy()
    return sentence_of(message, where)


def sentence_of(message: str, where: str) -> StoreError:
    """The sentence for what SQLite reports."""
    for part, sentence in _REASONS:
        if part in message:
            return StoreError(sentence, where=where)
    return StoreError(N_("The database {where} reports: {reason}."), where=where, reason=message)
