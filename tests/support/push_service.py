"""A push service on this machine, and a browser that reads its messages: real TLS, real encryption, real checks."""

import base64
import datetime
import json
import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

SECRET = b"sixteen bytes of"


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The browser's side of a subscription."""

    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())

    @property
    def keys(self) -> dict[str, str]:
        public = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": base64url(public), "auth": base64url(SECRET)}

    def read(self, body: bytes) -> bytes:
        """Decrypts a message with an independent implementation."""
        return bytes(http_ece.decrypt(body, private_key=self.private, auth_secret=SECRET, version="aes128gcm"))


@dataclass(frozen=True)
class Got:
    """One request that the push service received."""

    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self) -> dict[str, Any]:
        """The claims of the sender from the signed header, after checking the signature."""
        scheme, _space, rest = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        signed, _dot, signature = parts["t"].rpartition(".")
        raw = from_base64url(signature)
        numbers = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(parts["k"]))
        key.verify(encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(SHA256()))
        head, claims = (json.loads(from_base64url(part)) for part in signed.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}
        return {**claims, "k": parts["k"]}


@dataclass
class PushService:
    """Accepts messages, and answers with the status it is told to."""

    status: int = 201
    got: list[Got] = field(default_factory=list)
    port: int = 0
    tls: ssl.SSLContext = field(default_factory=lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    serving: ssl.SSLContext = field(default_factory=lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def endpoint(self, name: str = "me") -> str:
        return f"https://{self.host}/send/{name}"


@contextmanager
def push_service() -> Iterator[PushService]:
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            service.got.append(Got(self.path, {name.lower(): text for name, text in self.headers.items()}, body))
            self.send_response(service.status)
            self.send_header("location", service.endpoint("elsewhere"))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_what: object) -> None:
            pass

    with tempfile.TemporaryDirectory() as folder:
        certificate = make_certificate(Path(folder), "localhost")
        service.serving.load_cert_chain(certificate)
        service.tls.load_verify_locations(certificate)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = service.serving.wrap_socket(server.socket, server_side=True)
    service.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield service
    server.shutdown()
    thread.join()
    server.server_close()


def make_certificate(folder: Path, name: str) -> Path:
    """A certificate for a host name and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, SHA256())
    )
    path = folder / "both.pem"
    path.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + made.public_bytes(Encoding.PEM)
    )
    return path
