"""The keys by which push services recognise this server (VAPID, RFC 8292): made once, kept in a file of their own."""

import contextlib
import json
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from jaipur.files import check_regular, create_private, read_file, write_file
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.people.push.encryption import CURVE, base64url, public_bytes

_MOST_BYTES = 10_000
_VALID_SECONDS = 12 * 3600
_HALF = 32


class Keys:
    """The keys of one server, and where its operator can be reached."""

    def __init__(self, private: ec.EllipticCurvePrivateKey, contact: str) -> None:
        if not contact.startswith(("mailto:", "https://")) or not contact.isascii() or not contact.isprintable():
            raise JaipurError(
                N_("Say where push services can reach you: --push-contact mailto:you@example.org, or an https address.")
            )
        self._private = private
        self.contact = contact
        self.public = base64url(public_bytes(private.public_key()))
        """The public key, for browsers."""

    @classmethod
    def read(cls, path: str, contact: str) -> "Keys":
        """The keys from a file that `jaipur push-keys` made."""
        if Path(path).exists():
            check_regular(Path(path))
        with contextlib.suppress(ValueError, TypeError, UnsupportedAlgorithm):
            private = load_pem_private_key(read_file(path, _MOST_BYTES), password=None)
            if isinstance(private, ec.EllipticCurvePrivateKey) and isinstance(private.curve, ec.SECP256R1):
                return cls(private, contact)
        raise JaipurError(N_("{path} holds no keys for push messages: make some with jaipur push-keys."), path=path)

    def authorization(self, origin: str, now: float) -> str:
        """The header that tells the push service at this origin who is sending."""
        claims = {"aud": origin, "exp": int(now) + _VALID_SECONDS, "sub": self.contact}
        signed = ".".join(base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        numbers = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = base64url(b"".join(number.to_bytes(_HALF, "big") for number in numbers))
        return f"vapid t={signed}.{signature}, k={self.public}"


def make_keys(path: Path) -> None:
    """Writes new keys to a new file that only its owner can read: they let anyone send in this server's name."""
    if not create_private(path):
        raise JaipurError(
            N_("{path} already exists: new keys would silence all who have notifications on. Choose another file."),
            path=str(path),
        )
    private = ec.generate_private_key(CURVE)
    write_file(path, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
