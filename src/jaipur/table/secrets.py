"""Secrets that give people their seats. Only hashes are stored, so nobody can take a seat with a stolen database."""

import hashlib
import hmac
import secrets

_SECRET_BYTES = 24
_ID_BYTES = 9


def fresh_secret() -> str:
    """A secret of 192 bits, fit for cookies and links."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def hashed(secret: str) -> str:
    """The hash that is stored in place of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def fresh_id() -> str:
    """A public id for a game: it grants no rights. It does not start with a dash, so commands do not see an option."""
    while (game := secrets.token_urlsafe(_ID_BYTES)).startswith("-"):
        pass
    return game


def id_for(holder: str, key: str) -> str:
    """An id for a new game, derived from a person and their key: asking twice with the same key makes only one game."""
    return hashlib.sha256(f"{holder} {key}".encode()).hexdigest()[: 2 * _ID_BYTES]


def invite_secret(host: str, game: str) -> str:
    """The secret of the invitation to a game. It is derived from the host's own secret, so it is stored nowhere."""
    return hmac.new(host.encode(), f"invite {game}".encode(), hashlib.sha256).hexdigest()[:48]


def sealed(secret: str, token: str) -> str:
    """A secret that only this token opens again. A token is random and used once, so it serves as a one-time pad."""
    return _mixed(secret.encode(), token).hex()


def unsealed(text: str, token: str) -> str:
    """The secret that was sealed with this token."""
    return _mixed(bytes.fromhex(text), token).decode()


def _mixed(text: bytes, token: str) -> bytes:
    pad = hashlib.shake_256(f"device {token}".encode()).digest(len(text))
    return bytes(one ^ other for one, other in zip(text, pad, strict=True))
