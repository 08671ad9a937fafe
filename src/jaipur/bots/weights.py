"""The learned weights as a file: whole numbers of 1/512 in 16 bits, the output layer in floats, and a checksum."""

import hashlib
import sys
from array import array
from functools import cache
from importlib.resources import files
from pathlib import Path

from librt.vecs import vec
from mypy_extensions import i64

from jaipur.core.errors import N_, JaipurError
from jaipur.core.features import FEATURES
from jaipur.core.network import HIDDEN, Network, whole
from jaipur.files import read_file

MAGIC = b"jaipur weights 1\n"
_DIGEST = 32
_INPUTS = (FEATURES + 1) * HIDDEN


def to_bytes(weights: "vec[float]", output: "vec[float]") -> bytes:
    """The weights as the bytes of a file."""
    rows = array("h", [whole(weight) for weight in weights])
    outputs = array("d", list(output))
    if sys.byteorder == "big":
        rows.byteswap()
        outputs.byteswap()
    body = MAGIC + rows.tobytes() + outputs.tobytes()
    return body + hashlib.sha256(body).digest()


def from_bytes(data: bytes, name: str) -> Network:
    """A network that plays with the weights of a file."""
    body, digest = data[:-_DIGEST], data[-_DIGEST:]
    inputs = len(MAGIC) + 2 * _INPUTS
    if not body.startswith(MAGIC) or len(body) != inputs + 8 * (HIDDEN + 1) or hashlib.sha256(body).digest() != digest:
        raise JaipurError(N_("{path} is not a file of weights for this version, or it is damaged."), path=name)
    rows = array("h", body[len(MAGIC) : inputs])
    outputs = array("d", body[inputs:])
    if sys.byteorder == "big":
        rows.byteswap()
        outputs.byteswap()
    network = Network(vec[float](outputs))
    network.take_whole(vec[i64](rows))
    return network


def load_network(path: Path) -> Network:
    """A network from a file of weights."""
    return from_bytes(read_file(path), str(path))


@cache
def shipped_network() -> Network:
    """The network that comes with the package."""
    return from_bytes(files("jaipur.bots").joinpath("merchant.weights").read_bytes(), "merchant.weights")
