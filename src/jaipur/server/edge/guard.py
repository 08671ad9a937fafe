"""What every request passes first: limits, a check of its origin, who asks, the language, and the answer's headers."""

import json
import math
from collections.abc import Callable, Collection
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jaipur.language import _, accepted_language, use_language
from jaipur.record import MOST_BYTES
from jaipur.rules.errors import N_
from jaipur.server.config import LOCAL_HOSTS, Config
from jaipur.server.edge.client_address import Client, Proxies, asking
from jaipur.server.edge.rates import Limit
from jaipur.server.edge.request_log import request_id
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
"""Whatever can set up a game counts against the limit on new ones; `agree` may accept a rematch."""
_SECRET_LENGTHS = range(22, 129)
_LEAST_CHARACTERS = 8
"""A secret with fewer distinct characters was not made at random."""
_LONGEST_HOST = 255
"""The longest a host name can be; links and their QR codes contain it."""
_HOSTS_KEPT, _LANGUAGES_KEPT = 64, 256
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
ErrorPage = Callable[[Request, int, str], Response]
"""Makes a page for people from a status and a sentence."""


class Refused(Exception):
    """A request that is not let in: status, sentence, and seconds to wait."""

    def __init__(self, status: int, sentence: str, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.wait = wait


_TOO_LARGE = Refused(413, N_("The request is too large."))
_NO_RECORD = Refused(413, N_("The file is too large to be a record: the longest match takes far less than 100 kB."))
_WEAK = Refused(401, N_("This token is too short or too simple to be safe: use the one that you were given."))


class Guard:
    """Middleware around the whole app, so that errors get the headers too."""

    def __init__(self, app: ASGIApp, config: Config, page: ErrorPage, files: Collection[str]) -> None:
        """`files` are the addresses of plain files, which cost little and are requested by the dozen."""
        self.app = app
        self.page = page
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
        answer = _Answer(scope, send, self.page)
        try:
            self._check_rate(self.downloads if scope["path"] in self.files else self.requests, client.group)
            answer.fresh = _recognise(scope, headers)
            self._check(scope, headers, client)
            await self.app(scope, answer.limited(receive, headers), answer.send)
        except Refused as refused:
            await answer.refuse(refused)

    def _check(self, scope: Scope, headers: Headers, client: Client) -> None:
        hosts = len(headers.getlist("host"))
        if hosts > 1 or set(headers.get("host", "")) & {",", " "} or (not hosts and scope["http_version"] == "1.1"):
            raise Refused(400, N_("Send exactly one Host header."))
        named = headers.get("host", "")
        if len(named) > _LONGEST_HOST:
            raise Refused(400, N_("The name of the host is too long."))
        host, hostname = _host(named)
        if not self.public and hostname not in LOCAL_HOSTS:
            raise Refused(421, N_("This server answers on this machine only: use the address that it printed."))
        bearer = _bearer(headers)
        if bearer is not None and not _strong(bearer) and not scope["path"].startswith(_FOR_OPERATORS):
            raise _WEAK
        if scope["method"] in {"GET", "HEAD", "OPTIONS"}:
            return
        program = scope["path"].startswith("/api") and SEAT_COOKIE not in headers.get("cookie", "")
        if bearer is None and not _own_origin(headers, f"{client.scheme}://{host}" if host else "", program):
            raise Refused(403, N_("This request comes from another site and was refused."))
        if scope["path"] in _NEW_GAMES or scope["path"].endswith(_NEW_GAMES_AGAIN):
            self._check_rate(self.games, client.group)

    @staticmethod
    def _check_rate(limit: Limit, client: str) -> None:
        wait = limit.seconds_to_wait(client)
        if wait:
            raise Refused(429, N_("Too many requests: wait a little and try again."), wait)


@lru_cache(_HOSTS_KEPT)
def _host(named: str) -> tuple[str, str | None]:
    """The host with its port, and without it, as the header names them; empty if that cannot be read."""
    try:
        found = urlsplit(f"//{named}")
        return found.netloc, found.hostname
    except ValueError:
        return "", None


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

    The cookies are hidden from the app: FastAPI would parse them for every request, as slowly as the standard library.
    """
    cookies = _cookies(headers)
    if "cookie" in headers:
        scope["headers"] = [header for header in scope["headers"] if header[0] != b"cookie"]
    state = scope["state"]
    state["settings"] = read_settings(cookies.get(SETTINGS_COOKIE, ""))
    if state["settings"].lang:
        use_language(state["settings"].lang)
    state["secret"], fresh = _secret(headers, cookies, scope["path"])
    return fresh


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


def _secret(headers: Headers, cookies: dict[str, str], path: str) -> tuple[str, bool]:
    """The secret of whoever asks, and whether it is new. Programs bring their own; a browser gets a cookie."""
    bearer = _bearer(headers)
    if bearer is not None:
        return bearer, False
    secret = cookies.get(SEAT_COOKIE, "")
    if _strong(secret):
        return secret, False
    return ("", False) if path.startswith(_WITHOUT_COOKIE) else (fresh_secret(), True)


class _Answer:
    """Adds the headers to an answer; makes one for a refused request."""

    def __init__(self, scope: Scope, send: Send, page: ErrorPage) -> None:
        self.scope = scope
        self._send = send
        self.page = page
        self.fresh = False
        self.started = False
        self.too_large = False

    def limited(self, receive: Receive, headers: Headers) -> Receive:
        """Reads the body up to a maximum size. Beyond it the refusal is sent, in place of the app's own answer."""
        upload = self.scope["path"] == "/records"
        most, too_large = (_UPLOAD_BYTES, _NO_RECORD) if upload else (_MOST_BYTES, _TOO_LARGE)
        declared = headers.get("content-length", "0")
        if declared.isdecimal() and int(declared) > most:
            raise too_large
        got = 0

        async def limited() -> Message:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > most and not self.started:
                await self.refuse(too_large)
                self.too_large = True
            return {"type": "http.disconnect"} if self.too_large else message

        return limited

    async def send(self, message: Message) -> None:
        if self.too_large:
            return
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

    async def refuse(self, refused: Refused) -> None:
        if self.started:
            return
        body = json.dumps({"error": _(refused.sentence), "request": request_id.get()}).encode()
        kind = b"application/json"
        if not self.scope["path"].startswith("/api"):
            page = self.page(Request(self.scope), refused.status, _(refused.sentence))
            body, kind = bytes(page.body), b"text/html; charset=utf-8"
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
        if refused is _WEAK:
            headers.append((b"www-authenticate", b"Bearer"))
        if refused.wait:
            headers.append((b"retry-after", str(math.ceil(refused.wait)).encode()))
        await self.send({"type": "http.response.start", "status": refused.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def no_cookie(name: str) -> str:
    """Removes a cookie from the browser."""
    return f"{name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"


def cookie(name: str, value: str, secure: bool) -> str:
    """A cookie that scripts cannot read and other sites cannot use."""
    return f"{name}={value}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax{'; Secure' * secure}"
