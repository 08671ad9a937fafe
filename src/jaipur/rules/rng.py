"""Random generators of our own: always the same numbers, on every Python."""

import hashlib
import hmac
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

_MULTIPLIER: Final = 1640527740
_LOW_32: Final = 0xFFFFFFFF


class Rng:
    """The fast generator for playouts, bots and determinization: multiply-with-carry.

    The multiplier m makes m * 2**32 - 1 and m * 2**31 - 1 prime, so the period is above 2**61. It is below 2**31, so
    the state never leaves the 63 bits of a native int: compiled and interpreted code agree without a mask.
    `below` scales 32 bits; its bias, under n / 2**32, does not matter to a playout. Real deals use `SeedRng`.
    """

    def __init__(self, seed: int) -> None:
        digest = hashlib.sha256(str(seed).encode()).digest()
        self.state: i64 = int.from_bytes(digest[:7], "big") + 1

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1, for n up to 2**31."""
        state = self.state
        state = _MULTIPLIER * (state & _LOW_32) + (state >> 32)
        self.state = state
        return (((state ^ (state >> 32)) & _LOW_32) * n) >> 32

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled."""
        return _rng_at, (self.state,)


class SeedRng(Rng):
    """The generator for real deals: every number follows from a 256-bit seed and a label, without bias.

    The stream is HMAC-SHA256(seed, label + counter), counter 0, 1, 2, ... as 4 bytes, cut into 32-bit words, all
    big-endian. `below(n)` takes the next word below the largest multiple of n and returns its remainder.
    """

    def __init__(self, seed: bytes, label: str) -> None:
        super().__init__(0)
        self._seed = seed
        self._label = label.encode()
        self._counter = 0
        self._words: list[int] = []

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1, all exactly equally likely."""
        limit = _LOW_32 + 1 - (_LOW_32 + 1) % n
        while True:
            if not self._words:
                self._next_block()
            word: i64 = self._words.pop()
            if word < limit:
                return word % n

    def _next_block(self) -> None:
        message = self._label + self._counter.to_bytes(4, "big")
        block = hmac.new(self._seed, message, hashlib.sha256).digest()
        self._words = [int.from_bytes(block[i : i + 4], "big") for i in range(28, -4, -4)]
        self._counter += 1

    def __reduce__(self) -> tuple[object, ...]:
        """How it is copied and pickled."""
        return _seed_rng_at, (self._seed, self._label.decode(), self._counter, self._words.copy())


def _rng_at(state: i64) -> Rng:
    rng = Rng(0)
    rng.state = state
    return rng


def _seed_rng_at(seed: bytes, label: str, counter: int, words: list[int]) -> SeedRng:
    rng = SeedRng(seed, label)
    rng._counter = counter
    rng._words = words
    return rng


def shuffle(cards: vec[i64], start: i64, rng: Rng) -> None:
    """Shuffles the cards from `start` on, every order equally likely (Fisher and Yates)."""
    for last in range(i64(len(cards)) - 1, start, -1):
        other = start + rng.below(last - start + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card
