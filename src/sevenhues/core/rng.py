"""The two random number generators: `Dealer`, whose deals can be verified, and `Rng`, which is fast."""

from hashlib import sha256
from math import cos, log, pi, sqrt
from operator import index
from typing import Final, SupportsIndex, TypeVar, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from sevenhues.core.copying import Copyable

T = TypeVar("T")

WORD_BYTES: Final = 4
WORD_VALUES: Final = 1 << 32
BLOCK_BYTES: Final = 32

MASK: Final = 0x3FFFFFFFFFFFFFFF  # 62 bits, so that an i64 never overflows, compiled or not
STEP: Final = 0x1E3779B97F4A7C15  # SplitMix64's constants, truncated to 62 bits
MIX_1: Final = 0x3F58476D1CE4E5B9
MIX_2: Final = 0x14D049BB133111EB
HALF: Final = 31
RANGE: Final = 1 << 31  # the largest n of `Rng.below`


class Dealer(Copyable):
    """Deals from a seed of bytes. The algorithm is part of the record format and never changes.

    The key is SHA-256(seed). Block i, from 0, is SHA-256(key + i as 8 big-endian bytes). The stream is the sequence
    of the blocks, divided into 4-byte big-endian words. `below(n)` takes words until one is below the largest multiple
    of n up to 2**32, and returns it modulo n.
    """

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._key = sha256(seed).digest()
        self._counter = 0
        self._block = b""
        self._offset = BLOCK_BYTES

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each equally likely."""
        if not 0 < n <= WORD_VALUES:
            raise ValueError(f"n must be from 1 to {WORD_VALUES}, not {n}")
        limit = WORD_VALUES - WORD_VALUES % n  # words from here on would bias the choice
        while True:
            word = self._word()
            if word < limit:
                return word % n

    def shuffle(self, items: list[T]) -> None:
        """Shuffle in place: for i from the last index down to 1, swap item i with item `below(i + 1)`."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def _word(self) -> int:
        if self._offset == BLOCK_BYTES:
            self._block = sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            self._offset = 0
        word = self._block[self._offset : self._offset + WORD_BYTES]
        self._offset += WORD_BYTES
        return int.from_bytes(word, "big")


class ScriptedDealer(Dealer):
    """Makes given choices, and 0 after the last of them; `ranges` records the n of every choice."""

    def __init__(self, choices: list[int]) -> None:
        super().__init__(b"")
        self.choices = choices
        self.ranges: list[int] = []

    def below(self, n: int) -> int:
        i = len(self.ranges)
        self.ranges.append(n)
        choice = self.choices[i] if i < len(self.choices) else 0
        if not 0 <= choice < n:
            raise ValueError(f"choice {i} must be from 0 to {n - 1}, not {choice}")
        return choice


def unshuffle(before: list[T], after: list[T]) -> list[int]:
    """Return the choices with which a dealer shuffles `before` into `after`; raise ValueError if there are none."""
    items = before.copy()
    choices: list[int] = []
    for i in range(len(items) - 1, 0, -1):
        j = items.index(after[i], 0, i + 1)
        choices.append(j)
        items[i], items[j] = items[j], items[i]
    if items != after:
        raise ValueError("the lists do not have the same items")
    return choices


@final
class Rng(Copyable):
    """Draws numbers fast and reproducibly, for playouts, resampling and simulated deals; never for a provable deal.

    The algorithm is SplitMix64 truncated to 62 bits, so that compiled and interpreted code agree bit for bit.
    """

    def __init__(self, seed: SupportsIndex) -> None:
        self._state: i64 = index(seed) & MASK
        self.next()

    @staticmethod
    def seeded(text: str) -> "Rng":
        """Return a generator seeded with a text."""
        return Rng(int.from_bytes(sha256(text.encode(errors="surrogateescape")).digest()[:8], "big"))

    @property
    def seed(self) -> int:
        """Return a seed with which a new generator continues as this one does."""
        return (self._state - STEP) & MASK

    def next(self) -> i64:
        """Return the next 62 random bits."""
        self._state = (self._state + STEP) & MASK
        z: i64 = self._state
        z = ((z ^ (z >> 30)) * MIX_1) & MASK
        z = ((z ^ (z >> 27)) * MIX_2) & MASK
        return z ^ (z >> 31)

    def below(self, n: i64) -> i64:
        """Return a number from 0 to n - 1, for n up to 2**31. The bias is below n / 2**31."""
        return ((self.next() >> HALF) * n) >> HALF

    def normal(self) -> float:
        """Draw from the normal distribution with mean 0 and standard deviation 1 (Box–Muller)."""
        radius = sqrt(-2.0 * log((self.below(RANGE) + 1) / RANGE))
        return radius * cos(2.0 * pi * (self.below(RANGE) / RANGE))

    def shuffled(self, items: bytes) -> bytes:
        """Return bytes in random order."""
        size: i64 = len(items)
        order: vec[u8] = vec[u8]([0] * size)
        i: i64 = 0
        while i < size:
            j = self.below(i + 1)
            order[i] = order[j]
            order[j] = u8(items[i])
            i += 1
        return bytes(order)

    def shuffle(self, items: list[T]) -> None:
        """Shuffle in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
