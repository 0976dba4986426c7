"""Sets of small numbers as bit masks of at most 62 bits.

Compiled, `1 << n` is wrong for n over 30: mypyc writes the literal as a 32-bit C int. Shift literals and
constants with `bit` or `shift` (tests/test_structure.py checks it).
"""

from mypy_extensions import i64


def shift(value: i64, places: i64) -> i64:
    """Shift a value left."""
    return value << places


def bit(n: i64) -> i64:
    """Return the set with `n` as its only member."""
    return shift(1, n)


def count(mask: i64) -> i64:
    """Count the members of a set."""
    # Constants of at most 62 bits: mypyc makes others objects, and converts them at every use.
    mask = mask - ((mask >> 1) & 0x1555555555555555)
    mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((mask * 0x0101010101010101) >> 56) & 0xFF


def lowest(mask: i64) -> i64:
    """Return the smallest member of a non-empty set."""
    return count((mask & -mask) - 1)


def nth(mask: i64, n: i64) -> i64:
    """Return the member at index `n` in ascending order."""
    while n > 0:
        mask &= mask - 1
        n -= 1
    return lowest(mask)


def members(mask: i64) -> list[int]:
    """Return the members of a set, ascending."""
    numbers = [0] * count(mask)
    member: i64 = 0
    i: i64 = 0
    while mask:
        if mask & 1:
            numbers[i] = member
            i += 1
        mask >>= 1
        member += 1
    return numbers
