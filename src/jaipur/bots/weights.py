"""The learned weights as a packed file: whole numbers of 1/512 in 16 bits, the output layer in floats, a checksum."""

import hashlib
import struct
import zlib
from functools import cache
from importlib.resources import files
from pathlib import Path

from librt.vecs import vec

from jaipur.core.errors import N_, JaipurError
from jaipur.core.features import FEATURES
from jaipur.core.network import HIDDEN, Network, whole
from jaipur.files import read_file

SHIPPED = ("merchant", "vizier")
"""The levels that have weights of their own in the package."""

MAGIC = b"jaipur weights 2\n"
_DIGEST = 32
_ROWS = 2 * (FEATURES + 1) * HIDDEN
_OUTPUT = f"<{HIDDEN + 1}d"
_SIZE = _ROWS + struct.calcsize(_OUTPUT)


def to_bytes(weights: "vec[float]", output: "vec[float]") -> bytes:
    """The weights as the bytes of a file."""
    rows = struct.pack(f"<{len(weights)}h", *map(whole, weights))
    body = MAGIC + zlib.compress(rows + struct.pack(_OUTPUT, *output), level=9)
    return body + hashlib.sha256(body).digest()


def from_bytes(data: bytes, name: str) -> Network:
    """A network that plays with the weights of a file."""
    numbers = _unpack(data)
    if numbers is None:
        raise JaipurError(N_("{path} is not a file of weights for this version, or it is damaged."), path=name)
    network = Network(vec[float](struct.unpack(_OUTPUT, numbers[_ROWS:])))
    network.take_bytes(numbers[:_ROWS])
    return network


def _unpack(data: bytes) -> bytes | None:
    body, digest = data[:-_DIGEST], data[-_DIGEST:]
    if not body.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
        return None
    try:
        numbers = zlib.decompressobj().decompress(body.removeprefix(MAGIC), _SIZE + 1)
    except zlib.error:
        return None
    return numbers if len(numbers) == _SIZE else None


def load_network(path: Path) -> Network:
    """A network from a file of weights."""
    return from_bytes(read_file(path), str(path))


def shipped_weights(level: str) -> tuple[bytes, str]:
    """The file of weights of a level, and its name."""
    name = f"{level}.weights"
    return files("jaipur.bots").joinpath(name).read_bytes(), name


@cache
def shipped_network(level: str) -> Network:
    """The network that plays with the weights of a level."""
    return from_bytes(*shipped_weights(level))
