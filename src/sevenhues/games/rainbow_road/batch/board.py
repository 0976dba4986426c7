"""The board of Rainbow Road for many games at once, as words of bits.

A game takes six words. They are unpacked into a `Board`, whose fields are one number per game. A *tally* has two bits
per number here. `numbers` are as in `pieces`. In fields of both seats, seat 0 has the lower bits.
"""

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import U32
from sevenhues.games.rainbow_road.pieces import HALF, NUMBER_BITS, NUMBERS, PRANKS, RING

I32 = jnp.int32
TALLY_BITS = 2 * NUMBERS
TALLY_MASK = (1 << TALLY_BITS) - 1
ONE_OF_EACH = 0x1555
PRANK_BITS = len(PRANKS)
HELD_MASK = (1 << PRANK_BITS) - 1
SPOT_BITS = 4
GAIN_BITS = 4
POINT_BITS = 8
ALL_SPOTS = (1 << RING) - 1
HALF_SPOTS = (1 << HALF) - 1

# The fields of each word from its lowest bit on, with their sizes in bits.
WORDS = (
    (("numbers", 30),),
    (("hands", 28), ("turn", 1), ("phase", 3)),
    (("discards", 14), ("filled", 10), ("round", 4), ("ways", 2), ("hopped", 1), ("pranked", 1)),
    (("sunny", 4), ("rain", 4), ("marks", 8), ("owed", 4), ("origin", 4), ("gains", 8)),
    (("held", 12), ("used", 12)),
    (("scores", 16),),
)


class States(NamedTuple):
    """Packed games: see WORDS."""

    numbers: Array
    hands: Array
    progress: Array
    spots: Array
    pranks: Array
    scores: Array


class Board(NamedTuple):
    """Unpacked games; the fields are those of `RoadBoard`."""

    numbers: Array
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


def unpacked(states: States) -> Board:
    """Unpack the fields of words."""
    parts: dict[str, Any] = {}
    for word, layout in zip(states, WORDS, strict=True):
        at = 0
        for name, bits in layout:
            parts[name] = ((word >> np.uint32(at)) & np.uint32((1 << bits) - 1)).astype(I32)
            at += bits
    return Board(**parts)


def packed(board: Board) -> States:
    """Pack fields into words."""
    words = []
    for layout in WORDS:
        word, at = jnp.zeros_like(board.numbers, U32), 0
        for name, bits in layout:
            word |= getattr(board, name).astype(U32) << at
            at += bits
        words.append(word)
    return States(*words)


def both(spot: int) -> int:
    """Return a spot as the marker of both seats."""
    return spot | spot << SPOT_BITS


def bit(at: Array) -> Array:
    """Return the number with only this bit set."""
    return jnp.left_shift(jnp.int32(1), at)


def count(bits: Array) -> Array:
    """Return the size of a set."""
    return lax.population_count(bits)


def nth(bits: Array, at: Array, width: int = 32) -> Array:
    """Return the member of a set with `at` smaller members."""
    return jax_bits.nth(bits.astype(U32), at.astype(U32), width).astype(I32)


def number_at(numbers: Array, spot: Array | int) -> Array:
    """Return the number on a spot, or 0."""
    return (numbers >> (NUMBER_BITS * spot)) & 7


def ahead(filled: Array, spot: Array, way: int) -> Array:
    """RR-14 Return the next spot with a card on one way round."""
    twice = filled | filled << RING
    if way:
        following = 31 - lax.clz(twice & (bit(spot + RING) - 1))
    else:
        rest = twice >> (spot + 1)
        following = spot + 1 + count((rest & -rest) - 1)
    return jnp.where(following >= RING, following - RING, following)


def seen_from(seat: Array, spot: Array | int) -> Array:
    """Convert a spot to count from the first spot of a seat's half. The function is its own inverse."""
    turned = spot + HALF * seat
    return jnp.where(turned >= RING, turned - RING, turned)


def seen_mask(seat: Array, spots: Array) -> Array:
    """Convert a set of spots to count from the first spot of a seat's half."""
    turned = (spots >> HALF | spots << HALF) & ALL_SPOTS
    return jnp.where(seat == 0, spots, turned)


def higher(pair: Array) -> Array:
    """Return the higher spot of a pair by the number of the pair."""
    return sum([(pair >= spot * (spot - 1) // 2).astype(jnp.int32) for spot in range(2, RING)], jnp.ones_like(pair))


def numbers_in(tally: Array) -> Array:
    """Return the lowest bit of each number that occurs in a tally."""
    return (tally | tally >> 1) & ONE_OF_EACH


def size(tally: Array) -> Array:
    """Return the number of cards of a tally."""
    return count(tally & ONE_OF_EACH) + 2 * count(tally & ~ONE_OF_EACH)


def counts(tally: Array) -> list[Array]:
    """Return the count of each number in a tally."""
    return [(tally >> 2 * number) & 3 for number in range(NUMBERS)]


def flags(pranks: Array) -> list[Array]:
    """Return 0 or 1 for each prank of a set."""
    return [(pranks >> prank) & 1 for prank in range(PRANK_BITS)]
