"""Learned weights as a packed file: 16-bit numbers in units of 1/512, the output layer as floats, a checksum."""

import hashlib
import struct
import zlib
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from librt.vecs import vec

from jaipur.brain.features import FEATURES
from jaipur.brain.network import HIDDEN, SCALE, Network, whole
from jaipur.files import read_file
from jaipur.rules.errors import N_, JaipurError

SHIPPED = ("merchant", "vizier")
"""The levels whose own weights come with the package."""

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
    """A network with the weights of a file."""
    numbers = _unpack(data, name)
    network = Network(vec[float](struct.unpack(_OUTPUT, numbers[_ROWS:])))
    network.take_bytes(numbers[:_ROWS])
    return network


def weights_of(name: str) -> tuple["vec[float]", "vec[float]"]:
    """The weights of the hidden layer and of the output, of a level or a file, to continue learning from."""
    numbers = _unpack(shipped_weights(name) if name in SHIPPED else read_file(Path(name)), name)
    rows = [number / SCALE for number in struct.unpack(f"<{_ROWS // 2}h", numbers[:_ROWS])]
    return vec[float](rows), vec[float](struct.unpack(_OUTPUT, numbers[_ROWS:]))


def _unpack(data: bytes, name: str) -> bytes:
    """The numbers in a file, as they were packed."""
    body, digest = data[:-_DIGEST], data[-_DIGEST:]
    numbers = b""
    if body.startswith(MAGIC) and hashlib.sha256(body).digest() == digest:
        with suppress(zlib.error):
            numbers = zlib.decompressobj().decompress(body.removeprefix(MAGIC), _SIZE + 1)
    if len(numbers) != _SIZE:
        raise JaipurError(N_("{path} is not a file of weights for this version, or it is damaged."), path=name)
    return numbers


received: dict[str, bytes] = {}
"""Files of weights that another machine has sent, by the names they were sent by."""


def read_weights(name: str) -> bytes:
    """The bytes of a file of weights, on this machine or received from another."""
    return received[name] if name in received else read_file(Path(name))


def load_network(name: str) -> Network:
    """A network from a file of weights."""
    return from_bytes(read_weights(name), name)


def shipped_weights(level: str) -> bytes:
    """A file of weights that comes with the package."""
    return files("jaipur.bots").joinpath(f"{level}.weights").read_bytes()


@cache
def shipped_network(level: str) -> Network:
    """The network with these weights."""
    return from_bytes(shipped_weights(level), level)


def find_network(name: str) -> Network:
    """The network of a level in `SHIPPED`, or of a file of weights."""
    return shipped_network(name) if name in SHIPPED else load_network(name)
