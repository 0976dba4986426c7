"""Draws from what somebody has not seen: each unseen card and prank is equally likely in each unseen place."""

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road.pieces import count_of, one_of, size


def draw_cards(pool: i64, cards: i64, rng: Rng) -> i64:
    """Draw so many cards of a tally at random; return the tally of those drawn."""
    drawn: i64 = 0
    left = size(pool)
    while cards > 0:
        at = rng.below(left)
        number: i64 = 1
        while at >= count_of(pool, number):
            at -= count_of(pool, number)
            number += 1
        pool -= one_of(number)
        drawn += one_of(number)
        left -= 1
        cards -= 1
    return drawn


def draw_pranks(pool: i64, pranks: i64, rng: Rng) -> i64:
    """Draw so many pranks of a set at random; return the set of those drawn."""
    drawn: i64 = 0
    while pranks > 0:
        prank = bit(bits.nth(pool, rng.below(bits.count(pool))))
        pool &= ~prank
        drawn |= prank
        pranks -= 1
    return drawn
