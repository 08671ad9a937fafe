"""What went wrong with a database, as one sentence for a person."""

from sqlalchemy.exc import DBAPIError

from jaipur.rules.errors import N_
from jaipur.store.writing.write_queue import Away, Busy, StoreError

LOCKED = N_("The database {where} is locked by another program: close it, or use another file.")
_OF_SQLITE = (
    ("database is locked", LOCKED),
    ("readonly", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("read-only", N_("The database {where} cannot be written: make it writable, or use another file.")),
    ("unable to open", N_("The database {where} cannot be opened: check that the file may be read and written.")),
    ("disk is full", N_("The disk is full: nothing was written. Make room and try again.")),
    ("disk I/O error", N_("The disk reports an error: nothing was written to {where}.")),
    ("not a database", N_("{where} is damaged or not a Jaipur database: restore it from a copy, or use another file.")),
    ("malformed", N_("{where} is damaged or not a Jaipur database: restore it from a copy, or use another file.")),
)  # fmt: skip
"""What its messages contain."""
_OF_POSTGRES = (
    ("53100", N_("The disk is full: nothing was written. Make room and try again.")),
    ("25006", N_("The database {where} cannot be written: make it writable, or use another one.")),
    ("3D000", N_("There is no database {where}: create it first, for example with createdb.")),
    ("28", N_("The database {where} does not let us in: check the user and the password.")),
    ("42501", N_("The user may not change the database {where}: make it the owner.")),
)
"""How its codes (SQLSTATE) begin."""
_AWAY = ("08", "53", "55P03", "57")
"""No connection, no resources for one, a lock that is held, or a server that is stopping: all of these pass."""


def explained(error: DBAPIError, where: str, opened: bool = False) -> StoreError:
    """The sentence for an error of the driver. Once a database has been opened, a lock on it is temporary."""
    if hasattr(error.orig, "sqlstate"):
        code = getattr(error.orig, "sqlstate", None) or ""
        return _explained_by_code(code, str(error.orig), where, opened)
    message = str(error.orig).partition("\n")[0]
    if opened and "database is locked" in message:
        return Busy()
    return sentence_of(message, where)


def _explained_by_code(code: str, message: str, where: str, opened: bool) -> StoreError:
    """An error without a code arose on the way to the server."""
    if "password authentication failed" in message or "no password supplied" in message:
        code = "28"
    elif "does not exist" in message and "database" in message and not code:
        code = "3D000"
    for beginning, sentence in _OF_POSTGRES:
        if code.startswith(beginning):
            return StoreError(sentence, where=where)
    reason = message.partition("\n")[0]
    if code and not code.startswith(_AWAY):
        return sentence_of(reason, where)
    away = N_("The database {where} cannot be reached: {reason}.")
    return Away() if opened else StoreError(away, where=where, reason=reason)


def sentence_of(message: str, where: str) -> StoreError:
    """The sentence for what SQLite reports."""
    for part, sentence in _OF_SQLITE:
        if part in message:
            return StoreError(sentence, where=where)
    return StoreError(N_("The database {where} reports: {reason}."), where=where, reason=message)
