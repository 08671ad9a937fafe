"""What every request passes first: limits, a check of its origin, who asks, the language, and the answer's headers."""

import math
from collections.abc import Callable, Collection
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jaipur.language import accepted_language, use_language
from jaipur.record import MOST_BYTES
from jaipur.rules.errors import N_
from jaipur.server.config import LOCAL_HOSTS, Config
from jaipur.server.edge.client_address import Client, Proxies, asking
from jaipur.server.edge.rates import Limit
from jaipur.server.people.settings import COOKIE as SETTINGS_COOKIE
from jaipur.server.people.settings import Settings, read_settings
from jaipur.table import fresh_secret

SEAT_COOKIE = "jaipur_seat"
_COOKIES = frozenset({SEAT_COOKIE, SETTINGS_COOKIE})
_LONGEST_COOKIE = 1000
YEAR = 365 * 24 * 3600
_FILES = 4
"""How many times the usual rate applies to files: a page loads a few dozen of them."""
_MOST_BYTES = 64_000
_WITHOUT_COOKIE = ("/api", "/static/", "/favicon.ico", "/apple-touch-icon.png", "/manifest.webmanifest", "/sw.js")
_UPLOAD_BYTES = MOST_BYTES + 10_000
_NEW_GAMES = frozenset({"/games", "/records", "/api/games"})
_NEW_GAMES_AGAIN = ("/rematch", "/agree")
"""All that can set up a game counts against the limit on new ones; `agree` may accept a rematch."""
_SECRET_LENGTHS = range(22, 129)
_LEAST_CHARACTERS = 8
"""A secret with fewer distinct characters was not made at random."""
_LONGEST_HOST = 255
"""The longest a host name can be; links and their QR codes contain it."""
_LANGUAGES_KEPT = 256
_FOR_OPERATORS = ("/health", "/metrics")

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
ALWAYS = [(name.encode(), value.encode()) for name, value in (HEADERS | {"cache-control": "no-store"}).items()]
"""The headers of every answer, unless it sets its own."""

_accepted_language = lru_cache(_LANGUAGES_KEPT)(accepted_language)
"""Browsers send the same few headers again and again."""


class Refused(HTTPException):
    """A request that is not let in, with a sentence. The connection ends, so that the rest of the body is not read."""

    def __init__(self, status: int, sentence: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, sentence, {"connection": "close"} | (headers or {}))


Refusal = Callable[[Request, Refused], Response]
"""Makes the answer to a request that is refused."""


class Guard:
    """Middleware around the whole app, so that errors get the headers too."""

    def __init__(self, app: ASGIApp, config: Config, refusal: Refusal, files: Collection[str]) -> None:
        """`files` are the addresses of plain files, which cost little and are requested by the dozen."""
        self.app = app
        self.refusal = refusal
        self.files = files
        self.public = config.public
        self.proxies = Proxies(config.proxies)
        self.requests = Limit(config.requests_per_second, 4 * config.requests_per_second)
        self.downloads = Limit(_FILES * self.requests.rate, _FILES * self.requests.burst)
        self.games = Limit(config.games_per_minute / 60, config.games_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it with the reason why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        client = self.proxies.client(scope, headers)
        scope["client"], scope["scheme"] = (client.address, 0), client.scheme
        asking.set(client.group)
        use_language(_accepted_language(headers.get("accept-language", "")))
        state = scope.setdefault("state", {})
        state["client"], state["settings"] = client, Settings()
        exchange = _Exchange(scope, receive, send)
        try:
            _check_rate(self.downloads if scope["path"] in self.files else self.requests, client.group)
            exchange.fresh = _recognise(scope, headers)
            self._check(scope, headers, client)
            declared = headers.get("content-length", "")
            exchange.check_size(int(declared) if declared.isdecimal() else 0)
            await self.app(scope, exchange.receive, exchange.send)
        except Refused as refused:
            await self.refusal(Request(scope), refused)(scope, receive, exchange.send)

    def _check(self, scope: Scope, headers: Headers, client: Client) -> None:
        host = _only_host(scope, headers)
        if not self.public and _hostname(host) not in LOCAL_HOSTS:
            raise Refused(421, N_("This server answers on this machine only: use the address that it printed."))
        bearer = _bearer(headers)
        if bearer is not None and not _strong(bearer) and not scope["path"].startswith(_FOR_OPERATORS):
            sentence = N_("This token is too short or too simple to be safe: use the one that you were given.")
            raise Refused(401, sentence, {"www-authenticate": "Bearer"})
        if scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            return
        program = scope["path"].startswith("/api") and SEAT_COOKIE not in headers.get("cookie", "")
        if bearer is None and not _own_origin(headers, f"{client.scheme}://{host}", program):
            raise Refused(403, N_("This request comes from another site and was refused."))
        if scope["path"] in _NEW_GAMES or scope["path"].endswith(_NEW_GAMES_AGAIN):
            _check_rate(self.games, client.group)


def _check_rate(limit: Limit, client: str) -> None:
    wait = limit.seconds_to_wait(client)
    if wait:
        sentence = N_("Too many requests: wait a little and try again.")
        raise Refused(429, sentence, {"retry-after": str(math.ceil(wait))})


def _only_host(scope: Scope, headers: Headers) -> str:
    """The host that a request names, with its port; only HTTP/1.0 may leave it out."""
    hosts = headers.getlist("host") or [""] * (scope["http_version"] != "1.1")
    if len(hosts) != 1 or set(hosts[0]) & {",", " "}:
        raise Refused(400, N_("Send exactly one Host header."))
    if len(hosts[0]) > _LONGEST_HOST:
        raise Refused(400, N_("The name of the host is too long."))
    return hosts[0]


def _hostname(host: str) -> str | None:
    """A host without its port; None if it cannot be read."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _own_origin(headers: Headers, own: str, program: bool) -> bool:
    """Whether one of our own pages sent this. Browsers say so; a program has no cookie that could be misused."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    if origin is not None:
        return origin.lower() == own.lower()
    return program or site is not None


def _recognise(scope: Scope, headers: Headers) -> bool:
    """Finds out who asks and what their settings are; returns whether they are new and need a cookie.

    Programs bring their own secret. The cookies are hidden from the app: FastAPI would parse them for every request, as
    slowly as the standard library.
    """
    cookies = _cookies(headers)
    if "cookie" in headers:
        scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]
    state = scope["state"]
    state["settings"] = read_settings(cookies.get(SETTINGS_COOKIE, ""))
    if state["settings"].lang:
        use_language(state["settings"].lang)
    bearer, kept = _bearer(headers), cookies.get(SEAT_COOKIE, "")
    new = bearer is None and not _strong(kept)
    state["secret"] = kept if bearer is None else bearer
    if new:
        state["secret"] = "" if scope["path"].startswith(_WITHOUT_COOKIE) else fresh_secret()
    return new and bool(state["secret"])


def _cookies(headers: Headers) -> dict[str, str]:
    """Our own cookies, which have no quotes. The standard library takes a second for 16 kB of backslashes in quotes."""
    pairs = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
    return {name: value for name, _equals, value in pairs if name in _COOKIES and len(value) <= _LONGEST_COOKIE}


def _bearer(headers: Headers) -> str | None:
    """A program's token, which no page of another site can send; None if there is none."""
    scheme, _space, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _strong(secret: str) -> bool:
    """Whether a secret is good enough for a seat: hard to guess."""
    return (
        len(secret) in _SECRET_LENGTHS
        and secret.isascii()
        and secret.isprintable()
        and len(set(secret)) >= _LEAST_CHARACTERS
    )


class _Exchange:
    """A request and its answer: limits the size of the body, and adds the headers."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send
        self.fresh = False
        self.started = False
        self.size = 0

    def check_size(self, size: int) -> None:
        """Refuses a body of this size if it is too large."""
        if self.scope["path"] == "/records":
            if size > _UPLOAD_BYTES:
                sentence = N_("The file is too large to be a record: the longest match takes far less than 100 kB.")
                raise Refused(413, sentence)
        elif size > _MOST_BYTES:
            raise Refused(413, N_("The request is too large."))

    async def receive(self) -> Message:
        """Reads a piece of the body, and refuses one that has become too large."""
        message = await self._receive()
        self.size += len(message.get("body", b""))
        if not self.started:
            self.check_size(self.size)
        return message

    async def send(self, message: Message) -> None:
        """Passes on a part of the answer."""
        if message["type"] == "http.response.start":
            self.started = True
            headers = list(message["headers"])
            named = {name for name, _value in headers}
            headers += [pair for pair in ALWAYS if pair[0] not in named]
            secure = self.scope["scheme"] == "https"
            if secure:
                headers.append((b"strict-transport-security", f"max-age={YEAR}".encode()))
            if self.fresh:
                headers.append((b"set-cookie", cookie(SEAT_COOKIE, self.scope["state"]["secret"], secure).encode()))
            message["headers"] = headers
        await self._send(message)


def no_cookie(name: str) -> str:
    """Removes a cookie from the browser."""
    return f"{name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"


def cookie(name: str, value: str, secure: bool) -> str:
    """A cookie that scripts cannot read and other sites cannot use."""
    return f"{name}={value}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax{'; Secure' * secure}"
