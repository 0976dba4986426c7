"""Resampling: draws hidden cards and pranks at random, all with equal probability."""

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road.pieces import count_of, one_of, size


def draw_cards(pool: i64, count: i64, rng: Rng) -> i64:
    """Draw a number of random cards from a tally and return their tally."""
    drawn: i64 = 0
    left = size(pool)
    while count > 0:
        at = rng.below(left)
        number: i64 = 1
        while at >= count_of(pool, number):
            at -= count_of(pool, number)
            number += 1
        pool -= one_of(number)
        drawn += one_of(number)
        left -= 1
        count -= 1
    return drawn


def draw_pranks(pool: i64, count: i64, rng: Rng) -> i64:
    """Draw a number of random pranks from a set and return their set."""
    drawn: i64 = 0
    while count > 0:
        prank = bit(bits.nth(pool, rng.below(bits.count(pool))))
        pool &= ~prank
        drawn |= prank
        count -= 1
    return drawn
