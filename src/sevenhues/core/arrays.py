"""Conversions between lists and arrays of numbers."""

from librt.vecs import vec
from mypy_extensions import i64, u8


def as_array(numbers: list[int]) -> vec[i64]:
    """Return the numbers of a list as an array."""
    array: vec[i64] = vec[i64]([0] * len(numbers))
    for i in range(len(numbers)):
        array[i] = numbers[i]
    return array


def as_list(array: vec[i64]) -> list[int]:
    """Return the numbers of an array as a list."""
    numbers = [0] * len(array)
    for i in range(len(array)):
        numbers[i] = array[i]
    return numbers


def as_flags(members: vec[i64], size: i64) -> bytearray:
    """return bytes: 1 at each of these indexes and 0 elsewhere."""
    flags: vec[u8] = vec[u8]([0] * size)
    i: i64 = 0
    while i < len(members):
        flags[members[i]] = 1
        i += 1
    return bytearray(flags)
