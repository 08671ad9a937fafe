"""Delivers a message to a push service. Its address comes from a client, so it is not trusted at all.

Only https on its usual port, only public addresses, only the very address that was checked, with limits on the time and
on what is read. Redirects are not followed.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

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


@dataclass(frozen=True)
class Target:
    """An address, split into its parts."""

    host: str
    port: int
    netloc: str
    path: str

    @property
    def origin(self) -> str:
        """The push service, as the signed header names it."""
        return f"https://{self.netloc}"


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

    def target(self, endpoint: str) -> Target:
        """Splits an address; raises `BadEndpoint` if it cannot be a push service's."""
        if len(endpoint) > _LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
            raise BadEndpoint
        try:
            parts = urlsplit(endpoint)
            port = parts.port or _HTTPS
        except ValueError as error:
            raise BadEndpoint from error
        host = parts.hostname or ""
        if parts.scheme != "https" or not host or "@" in parts.netloc or parts.fragment:
            raise BadEndpoint
        if f"{host}:{port}" not in self.trusted and (port != _HTTPS or not _may_be_public(host)):
            raise BadEndpoint
        path = parts.path or "/"
        return Target(host, port, parts.netloc, f"{path}?{parts.query}" if parts.query else path)

    async def post(self, target: Target, headers: Mapping[str, str], body: bytes) -> int:
        """Sends a request and returns the status of its answer, in time or not at all."""
        async with asyncio.timeout(self.seconds):
            address = await self._resolved(target)
            reader, writer = await asyncio.open_connection(
                address, target.port, ssl=self.tls, server_hostname=target.host, limit=_LINE_BYTES
            )
            try:
                writer.write(_request(target, headers, body))
                await writer.drain()
                return _status(await reader.readuntil(b"\r\n"))
            except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
                raise NoAnswer from error
            finally:
                writer.transport.abort()

    async def _resolved(self, target: Target) -> str:
        """One IP address of a host, if all of them are public. The connection uses it, with no second lookup."""
        found = await self._resolvers.run(socket.getaddrinfo, target.host, target.port, type=socket.SOCK_STREAM)
        addresses = [str(info[4][0]) for info in found]
        if f"{target.host}:{target.port}" not in self.trusted and not all(map(is_public, addresses)):
            raise BadEndpoint
        return addresses[0]


def _may_be_public(host: str) -> bool:
    """Whether a host can be on the internet, judged before any lookup."""
    *names, last = host.rstrip(".").split(".")
    if ":" in host or last[:1].isdigit():  # an address, in one of its many spellings
        return is_public(host)
    return bool(names)


def is_public(address: str) -> bool:
    """Whether an IP address is public. A mapped IPv4 address is judged as IPv4; 6to4 and scoped ones are not public."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found.sixtofour or found.scope_id:
            return False
        found = found.ipv4_mapped or found
    return found.is_global and not found.is_multicast and not found.is_reserved


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    lines = [f"POST {target.path} HTTP/1.1", f"Host: {target.netloc}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body


def _status(line: bytes) -> int:
    words = line.split(maxsplit=2)
    if len(words) == 1 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise NoAnswer
    return int(words[1])
