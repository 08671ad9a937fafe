"""Encrypts a message so that only one browser can read it, and not the service that carries it (RFC 8188, RFC 8291)."""

import base64
import secrets

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
_SALT_BYTES, _AUTH_BYTES = 16, 16
_RECORD_SIZE = 4096
_PADDED = 512
"""Bytes to which a message is padded, so that its length reveals nothing."""
_LAST = b"\x02"


def base64url(data: bytes) -> str:
    """Bytes as text, without the padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes of such a text; raises `ValueError` if it is not one."""
    return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)


def public_bytes(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as browsers write it."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def read_browser(key: str, auth: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """The public key and the secret of a browser; raises `ValueError` if they are not valid."""
    secret = from_base64url(auth)
    if len(secret) != _AUTH_BYTES:
        raise ValueError
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64url(key)), secret


def encrypted(text: bytes, key: str, auth: str) -> bytes:
    """The body of a request. Each message has a key and a salt of its own."""
    browser, secret = read_browser(key, auth)
    own, salt = ec.generate_private_key(CURVE), secrets.token_bytes(_SALT_BYTES)
    sender = public_bytes(own.public_key())
    info = b"WebPush: info\x00" + public_bytes(browser) + sender
    shared = _derived(own.exchange(ec.ECDH(), browser), secret, info, 32)
    cipher = AESGCM(_derived(shared, salt, b"Content-Encoding: aes128gcm\x00", 16))
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\x00", 12)
    head = salt + _RECORD_SIZE.to_bytes(4, "big") + len(sender).to_bytes(1, "big") + sender
    return head + cipher.encrypt(nonce, (text + _LAST).ljust(_PADDED, b"\x00"), b"")


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(material)
