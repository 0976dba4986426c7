"""Positions as numbers: what learners and networks read."""

from abc import ABC, abstractmethod
from typing import Generic

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr, u8

from sevenhues.core.copying import Copyable
from sevenhues.core.native_classes import NativeBase
from sevenhues.core.options import Options
from sevenhues.core.position import P


class Feature(Copyable):
    """A named run of `size` numbers in an encoding, each from 0 to `high`."""

    def __init__(self, name: str, size: int, high: int, about: str) -> None:
        self.name = name
        self.size = size
        self.high = high
        self.about = about


@mypyc_attr(allow_interpreted_subclasses=True)
class Encoder(NativeBase, ABC, Generic[P]):
    """Encodes what a seat knows as a list of numbers of a fixed layout."""

    @abstractmethod
    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Describe the numbers of `encode`, in order."""

    @abstractmethod
    def encode(self, position: P, seat: int) -> list[int]:
        """Return what a seat (or WATCHER) knows."""

    def write(self, position: P, seat: int, numbers: vec[i64], start: i64) -> None:
        """Write what `encode` returns into an array, from `start` on. Override it where no list need be built."""
        for number in self.encode(position, seat):
            numbers[start] = number
            start += 1

    def encode_bytes(self, position: P, seat: int, size: i64) -> bytearray:
        """Return the `size` numbers of `encode` as bytes, if none is above 255."""
        numbers: vec[i64] = vec[i64]([0] * size)
        self.write(position, seat, numbers, 0)
        array: vec[u8] = vec[u8]([0] * size)
        i: i64 = 0
        while i < size:
            array[i] = u8(numbers[i])
            i += 1
        return bytearray(array)


class EmptyEncoder(Encoder[P]):
    """Encodes nothing: what a game has that needs no such encoding."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return ()

    def encode(self, position: P, seat: int) -> list[int]:
        return []
