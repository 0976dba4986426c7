"""Rainbow Road's table for many games at once, in words of bits.

All that is true of a game fits six words. They are taken apart into a `Table`, whose parts are one number a game. A
*tally* has two bits to a number here, roads are as in `pieces`, and of what both seats have seat 0's bits are lower.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import U32
from sevenhues.games.rainbow_road.pieces import HALF, NUMBER_BITS, NUMBERS, PRANKS, RING

I32 = jnp.int32
TALLY = 2 * NUMBERS  # bits of a tally
TALLY_MASK = (1 << TALLY) - 1
ONE_OF_EACH = 0x1555
PRANK_BITS = len(PRANKS)
HELD_MASK = (1 << PRANK_BITS) - 1
SPOT_BITS = 4
GAIN_BITS = 4
POINT_BITS = 8
ALL_SPOTS = (1 << RING) - 1
HALF_SPOTS = (1 << HALF) - 1

# What each word of a state holds from its lowest bit on, and in how many bits.
WORDS = (
    (("road", 30),),
    (("hands", 28), ("turn", 1), ("phase", 3)),
    (("discards", 14), ("filled", 10), ("round", 4), ("ways", 2), ("hopped", 1), ("pranked", 1)),
    (("sunny", 4), ("rain", 4), ("marks", 8), ("owed", 4), ("origin", 4), ("gains", 8)),
    (("held", 12), ("used", 12)),
    (("scores", 16),),
)


class States(NamedTuple):
    """Many games, packed: see WORDS."""

    road: Array
    hands: Array
    table: Array
    spots: Array
    pranks: Array
    scores: Array


class Table(NamedTuple):
    """Many games, taken apart; the names are those of `road`."""

    road: Array
    hands: Array
    turn: Array
    phase: Array
    discards: Array
    filled: Array
    round: Array
    ways: Array
    hopped: Array
    pranked: Array
    sunny: Array
    rain: Array
    marks: Array
    owed: Array
    origin: Array
    gains: Array
    held: Array
    used: Array
    scores: Array


def unpacked(states: States) -> Table:
    """Take words apart."""
    parts: dict[str, Any] = {}
    for word, layout in zip(states, WORDS, strict=True):
        at = 0
        for name, bits in layout:
            parts[name] = ((word >> np.uint32(at)) & np.uint32((1 << bits) - 1)).astype(I32)
            at += bits
    return Table(**parts)


def packed(table: Table) -> States:
    """Put words together."""
    words = []
    for layout in WORDS:
        word, at = jnp.zeros_like(table.road, U32), 0
        for name, bits in layout:
            word |= getattr(table, name).astype(U32) << at
            at += bits
        words.append(word)
    return States(*words)


def both(spot: int) -> int:
    """Mark one spot for both seats."""
    return spot | spot << SPOT_BITS


def bit(at: Array) -> Array:
    """Return the number with this one bit."""
    return jnp.left_shift(jnp.int32(1), at)


def count(bits: Array) -> Array:
    """Count the bits of a set."""
    return lax.population_count(bits)


def nth(bits: Array, at: Array, width: int = 32) -> Array:
    """Return the member of a set that has so many smaller ones."""
    return jax_bits.nth(bits.astype(U32), at.astype(U32), width).astype(I32)


def number_at(road: Array, spot: Array | int) -> Array:
    return (road >> (NUMBER_BITS * spot)) & 7


def ahead(filled: Array, spot: Array, way: int) -> Array:
    """RR-14 Return the next spot with a card on a way round."""
    twice = filled | filled << RING
    if way:
        found = 31 - lax.clz(twice & (bit(spot + RING) - 1))
    else:
        rest = twice >> (spot + 1)
        found = spot + 1 + count((rest & -rest) - 1)
    return jnp.where(found >= RING, found - RING, found)


def seen_from(seat: Array, spot: Array | int) -> Array:
    """Count a spot from a seat's own first one; the same the other way round."""
    turned = spot + HALF * seat
    return jnp.where(turned >= RING, turned - RING, turned)


def seen_mask(seat: Array, spots: Array) -> Array:
    """Count a set of spots from a seat's own first one."""
    turned = (spots >> HALF | spots << HALF) & ALL_SPOTS
    return jnp.where(seat == 0, spots, turned)


def higher(pair: Array) -> Array:
    """Return the higher spot of a pair, or its place among those that are free."""
    return sum([(pair >= spot * (spot - 1) // 2).astype(jnp.int32) for spot in range(2, RING)], jnp.ones_like(pair))


def numbers_in(tally: Array) -> Array:
    return (tally | tally >> 1) & ONE_OF_EACH


def size(tally: Array) -> Array:
    """Count the cards of a tally."""
    return count(tally & ONE_OF_EACH) + 2 * count(tally & ~ONE_OF_EACH)


def tallied(tally: Array) -> list[Array]:
    return [(tally >> 2 * number) & 3 for number in range(NUMBERS)]


def flags(pranks: Array) -> list[Array]:
    return [(pranks >> prank) & 1 for prank in range(PRANK_BITS)]
