"""Delivers a message to a push service. Its address comes from a client, so it is not trusted at all.

Only https on its usual port, only public addresses, only the very address that was checked, with limits on the time and
on what is read. Redirects are not followed.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit, urlunsplit

from jaipur.rules.errors import N_, JaipurError
from jaipur.threads import Threads

_SECONDS = 10.0
_HTTPS = 443
_LONGEST = 1000
_LINE_BYTES = 1024
_RESOLVERS = 2


class BadEndpoint(JaipurError):
    """An address to which this server does not send."""

    def __init__(self) -> None:
        super().__init__(N_("This browser's push service has an address to which this server does not send."))


class NoAnswer(OSError):
    """What came back is not an HTTP answer."""


class Delivery:
    """Sends over the network. Trusted hosts (`name:port`) may have any address and port, which tests need."""

    def __init__(
        self,
        trusted: frozenset[str] = frozenset(),
        tls: ssl.SSLContext | None = None,
        seconds: float = _SECONDS,
    ) -> None:
        self.trusted = trusted
        self.tls = tls or ssl.create_default_context()
        self.seconds = seconds
        # Looking up a stranger's host name may take long, so it gets threads of its own.
        self._resolvers = Threads(_RESOLVERS, "push-resolver")

    async def close(self) -> None:
        """Looks up no more names."""
        await self._resolvers.close()

    def target(self, endpoint: str) -> SplitResult:
        """Splits an address; raises `BadEndpoint` if it cannot be a push service's."""
        if len(endpoint) > _LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
            raise BadEndpoint
        try:
            target = urlsplit(endpoint)
            host, port = _place(target)
        except ValueError as error:
            raise BadEndpoint from error
        if target.scheme != "https" or not host or "@" in target.netloc or target.fragment:
            raise BadEndpoint
        if f"{host}:{port}" not in self.trusted and (port != _HTTPS or not _may_be_public(host)):
            raise BadEndpoint
        return target

    async def post(self, target: SplitResult, headers: Mapping[str, str], body: bytes) -> int:
        """Sends a request and returns the status of its answer, in time or not at all."""
        async with asyncio.timeout(self.seconds):
            host, port = _place(target)
            address = await self._resolved(host, port)
            reader, writer = await asyncio.open_connection(
                address, port, ssl=self.tls, server_hostname=host, limit=_LINE_BYTES
            )
            try:
                writer.write(_request(target, headers, body))
                await writer.drain()
                return _status(await reader.readuntil(b"\r\n"))
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
                raise NoAnswer from error
            finally:
                writer.transport.abort()

    async def _resolved(self, host: str, port: int) -> str:
        """One IP address of a host, if all of them are public. The connection uses it, with no second lookup."""
        places = await self._resolvers.run(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        addresses = [str(place[4][0]) for place in places]
        if f"{host}:{port}" not in self.trusted and not all(map(is_public, addresses)):
            raise BadEndpoint
        return addresses[0]


def _place(target: SplitResult) -> tuple[str, int]:
    return target.hostname or "", target.port or _HTTPS


def _may_be_public(host: str) -> bool:
    """Whether a host can be on the internet, judged before any lookup."""
    *names, last = host.rstrip(".").split(".")
    if ":" in host or last[:1].isdigit():  # an address, in one of its many spellings
        return is_public(host)
    return bool(names)


def is_public(address: str) -> bool:
    """Whether an IP address is public. A mapped IPv4 address is judged as IPv4; 6to4 and scoped ones are not public."""
    try:
        one = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(one, ipaddress.IPv6Address):
        if one.sixtofour or one.scope_id:
            return False
        one = one.ipv4_mapped or one
    return one.is_global and not one.is_multicast and not one.is_reserved


def _request(target: SplitResult, headers: Mapping[str, str], body: bytes) -> bytes:
    where = urlunsplit(("", "", target.path or "/", target.query, ""))
    lines = [f"POST {where} HTTP/1.1", f"Host: {target.netloc}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def _status(line: bytes) -> int:
    words = line.split(maxsplit=2)
    if len(words) == 1 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise NoAnswer
    return int(words[1])
