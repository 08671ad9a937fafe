"""Which address a request comes from. A proxy is believed only if an option names it."""

import hashlib
import ipaddress
from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.types import Scope

from jaipur.rules.errors import N_, JaipurError

asking: ContextVar[str] = ContextVar("asking", default="")
"""Whose limits the request of this context counts against, see `Client.group`; empty where no request is served."""
_FORWARDING = {b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip"}
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_HOME_PREFIX = 64
"""The prefix of an IPv6 address that a provider assigns; its owner has all the addresses below it."""
_KEPT_ADDRESSES = 1024


@dataclass(frozen=True)
class Client:
    """Who asks: the address, http or https, and whether some proxy says that it forwarded the request."""

    address: str
    scheme: str
    forwarded: bool

    @property
    def group(self) -> str:
        """What limits are counted by: an IPv4 address, or the network of a household's IPv6 addresses."""
        return address_group(self.address)

    @property
    def local(self) -> bool:
        """Whether this comes directly from a program on this machine."""
        address = read_address(self.address)
        return address is not None and address.is_loopback and not self.forwarded


def owner_of(group: str) -> str:
    """A stand-in for an address, for those who only need to tell people apart: other processes see no address."""
    return hashlib.sha256(group.encode()).hexdigest()[:16] if group else ""


@lru_cache(_KEPT_ADDRESSES)
def address_group(address: str) -> str:
    """One name for all the addresses of a household or a machine."""
    one = read_address(address)
    if isinstance(one, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((one, _HOME_PREFIX), strict=False))
    return address if one is None else str(one)


@lru_cache(_KEPT_ADDRESSES)
def read_address(address: str) -> _Address | None:
    """An address of either kind; one of IPv4 within IPv6 counts as IPv4. None if it cannot be read.

    Cached: an address is read several times per request, and most requests come from few addresses.
    """
    try:
        one = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(one, "ipv4_mapped", None) or one


class Proxies:
    """The addresses and networks of the proxies that are believed."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        self.networks: list[Network] = [_network(name) for name in named]

    def __contains__(self, address: str) -> bool:
        one = read_address(address)
        return one is not None and any(one in network for network in self.networks)

    def client(self, scope: Scope, headers: Headers) -> Client:
        """Who asks. In X-Forwarded-For, the last address that is not a proxy's own counts."""
        address: str = scope["client"][0] if scope.get("client") else ""
        forwarded = not _FORWARDING.isdisjoint(name for name, _value in headers.raw)
        scheme: str = scope["scheme"]
        if address not in self:
            return Client(address, scheme, forwarded)
        protocol = headers.getlist("x-forwarded-proto")[-1:]
        if protocol and protocol[0].strip() in {"http", "https"}:
            scheme = protocol[0].strip()
        for hop in reversed(",".join(headers.getlist("x-forwarded-for")).split(",")):
            if read_address(hop.strip()) is None:
                break
            address = hop.strip()
            if address not in self:
                break
        return Client(address, scheme, forwarded)


def _network(name: str) -> Network:
    try:
        return ipaddress.ip_network(name, strict=False)
    except ValueError as error:
        raise JaipurError(
            N_("“{name}” is not an address: give the proxy's, like 127.0.0.1 or 10.0.0.0/8."), name=name[:60]
        ) from error
