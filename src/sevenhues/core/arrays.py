"""Conversions between lists and arrays of numbers."""

from librt.vecs import vec
from mypy_extensions import i64


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
