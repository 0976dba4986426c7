"""The two sources of chance: `Dealer`, whose deals can be proven, and `Rng`, which is fast."""

from hashlib import sha256
from math import cos, log, pi, sqrt
from typing import Final, TypeVar

from mypy_extensions import i64

T = TypeVar("T")

WORD_BYTES: Final = 4
WORDS: Final = 1 << 32
BLOCK_BYTES: Final = 32

MASK: Final = 0x3FFFFFFFFFFFFFFF  # 62 bits: an i64 that never overflows, compiled or not
STEP: Final = 0x1E3779B97F4A7C15  # SplitMix64's constants, cut to 62 bits
MIX_1: Final = 0x3F58476D1CE4E5B9
MIX_2: Final = 0x14D049BB133111EB
HALF: Final = 31
RANGE: Final = 1 << 31  # what `below` can tell apart


class Dealer:
    """Deal from a seed of bytes: the same on every platform, for ever.

    The key is SHA-256(seed). Block i, from 0, is SHA-256(key + i as 8 big-endian bytes). The blocks one
    after another, cut into 4-byte big-endian words, are the stream. `below(n)` takes words until one is
    below the largest multiple of n up to 2**32, and returns it modulo n.
    """

    def __init__(self, seed: bytes) -> None:
        self._key = sha256(seed).digest()
        self._counter = 0
        self._block = b""
        self._at = BLOCK_BYTES

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, each equally likely."""
        if not 0 < n <= WORDS:
            raise ValueError(f"a dealer chooses among 1 to {WORDS} things, not {n}")
        fair = WORDS - WORDS % n
        while True:
            word = self._word()
            if word < fair:
                return word % n

    def shuffle(self, things: list[T]) -> None:
        """Shuffle in place: for i from the last down to 1, exchange i with `below(i + 1)`."""
        for i in range(len(things) - 1, 0, -1):
            j = self.below(i + 1)
            things[i], things[j] = things[j], things[i]

    def _word(self) -> int:
        if self._at == BLOCK_BYTES:
            self._block = sha256(self._key + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
            self._at = 0
        word = self._block[self._at : self._at + WORD_BYTES]
        self._at += WORD_BYTES
        return int.from_bytes(word, "big")


class ScriptedDealer(Dealer):
    """Deal by choices made elsewhere, 0 where they run out; `asked` notes among how many each one was."""

    def __init__(self, choices: list[int]) -> None:
        super().__init__(b"")
        self.choices = choices
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        at = len(self.asked)
        self.asked.append(n)
        choice = self.choices[at] if at < len(self.choices) else 0
        if not 0 <= choice < n:
            raise ValueError(f"choice {at} is {choice}, not one of {n}")
        return choice


def unshuffle(before: list[T], after: list[T]) -> list[int]:
    """Return choices by which a shuffle makes one list of the other; ValueError if none does."""
    things = before.copy()
    choices: list[int] = []
    for i in range(len(things) - 1, 0, -1):
        j = things.index(after[i], 0, i + 1)
        choices.append(j)
        things[i], things[j] = things[j], things[i]
    if things != after:
        raise ValueError("these are not the same things in another order")
    return choices


class Rng:
    """Draw numbers fast and reproducibly, for playouts and resampling; never for a deal.

    SplitMix64 cut to 62 bits, so that compiled and interpreted code agree bit for bit.
    """

    def __init__(self, seed: int) -> None:
        self._state: i64 = seed & MASK
        self.next()

    @staticmethod
    def seeded(text: str) -> "Rng":
        """Return a generator that follows from a text."""
        return Rng(int.from_bytes(sha256(text.encode(errors="surrogateescape")).digest()[:8], "big"))

    def next(self) -> i64:
        """Return the next 62 random bits."""
        self._state = (self._state + STEP) & MASK
        z: i64 = self._state
        z = ((z ^ (z >> 30)) * MIX_1) & MASK
        z = ((z ^ (z >> 27)) * MIX_2) & MASK
        return z ^ (z >> 31)

    def below(self, n: i64) -> i64:
        """Return a number from 0 to n - 1, for n up to 2**31; the bias is below n / 2**31."""
        return ((self.next() >> HALF) * n) >> HALF

    def bell(self) -> float:
        """Return a number of the bell curve around 0 with deviation 1 (Box and Muller)."""
        radius = sqrt(-2.0 * log((self.below(RANGE) + 1) / RANGE))
        return radius * cos(2.0 * pi * (self.below(RANGE) / RANGE))

    def shuffle(self, things: list[T]) -> None:
        """Shuffle in place."""
        for i in range(len(things) - 1, 0, -1):
            j = self.below(i + 1)
            things[i], things[j] = things[j], things[i]
