"""Secrets that seat people. Only their hashes are stored, so a stolen database seats nobody."""

import hashlib
import hmac
import secrets

_TOKEN_BYTES = 24
_ID_BYTES = 9


def fresh_token() -> str:
    """A secret of 192 bits, fit for cookies and links."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hashed(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def fresh_id() -> str:
    """A public id for a game: it gives no right to anything."""
    return secrets.token_urlsafe(_ID_BYTES)


def id_for(holder: str, key: str) -> str:
    """The id of the game that this person asks for with this key, so that asking twice makes one game."""
    return hashlib.sha256(f"{holder} {key}".encode()).hexdigest()[: 2 * _ID_BYTES]


def invite_token(host: str, game: str) -> str:
    """The token of the invitation to a game. It follows from the host's own token, so it is kept nowhere."""
    return hmac.new(host.encode(), f"invite {game}".encode(), hashlib.sha256).hexdigest()[:48]
