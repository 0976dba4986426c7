"""Sets of Rainbow cards for many games at once, as words of bits.

A card is its number in a pack of 57. Two words hold a set: A has one card of each of the first 32 pairs of faces, B has
the second cards of the 21 pairs of colours and then the last four pairs. A set is a pair of arrays, one for A and one
for B, with one word per game.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from sevenhues.batch.jax_bits import U32, below, count, nth
from sevenhues.games.rainbow import encoders
from sevenhues.games.rainbow.pieces import CARDS, COLOURS, FACE_COUNT, HAND_SIZE, LIGHT, SHADE

ID_BITS = 6  # of a card's number in hands and row
ALL_A = np.uint32(0xFFFFFFFF)
ALL_B = np.uint32((1 << (CARDS - 32)) - 1)
NO_CARDS = np.uint32((1 << (ID_BITS * HAND_SIZE)) - 1)
TWICE = COLOURS * (COLOURS - 1) // 2  # RB-2 kinds with two cards
LATE = 32 - TWICE  # the number of a kind from 32 on, less its place in word B


def kind_of(card: Array) -> Array:
    """Return the pair of faces of a card, as `encoders.kind` numbers them."""
    late = jnp.where(card < 32 + TWICE, card - 32, card - TWICE)
    return jnp.where(card < 32, card, late)


def faces(card: Array) -> tuple[Array, Array]:
    """Return a card's lower and higher face."""
    kind = kind_of(card)
    high = jnp.ones_like(kind)
    for least in (1, 3, 6, 10, 15, 21, 28):
        high = high + (kind >= least).astype(U32)
    return kind - ((high * (high - 1)) >> 1), high


def has(card: Array, a: Array, b: Array) -> Array:
    """Tell whether a set contains a card: 0 or 1."""
    return (jnp.where(card < 32, a, b) >> (card & 31)) & 1


def as_set(card: Array, there: Array) -> tuple[Array, Array]:
    """Return the set of this card, or the empty set: `there` is 1 or 0."""
    one = there << (card & 31)
    return jnp.where(card < 32, one, 0), jnp.where(card < 32, 0, one)


def draw(a: Array, b: Array, bits: Array, n: Array) -> Array:
    """Return a random card of a set of n cards; the result for an empty set is undefined."""
    at = below(bits, n)
    first = count(a)
    later = at >= first
    place = nth(jnp.where(later, b, a), at - jnp.where(later, first, 0))
    return place + jnp.where(later, U32(32), U32(0))


def _faces_of(card: int) -> tuple[int, int]:
    kind = card if card < 32 else card - 32 if card < 32 + TWICE else card - TWICE
    high = next(high for high in range(FACE_COUNT) if kind < high * (high + 1) // 2)
    return kind - high * (high - 1) // 2, high


FACES = [_faces_of(card) for card in range(CARDS)]


def _sets(which: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for each face the cards of A and B of which it is the lower (0) or the higher face (1)."""
    words = np.zeros((2, FACE_COUNT), np.uint32)
    for card, pair in enumerate(FACES):
        words[card // 32, pair[which]] |= np.uint32(1 << card % 32)
    return words[0], words[1]


LOWER_A, LOWER_B = _sets(0)
HIGHER_A, HIGHER_B = _sets(1)
WITH_A, WITH_B = LOWER_A | HIGHER_A, LOWER_B | HIGHER_B


def count_by_kind(a: Array, b: Array) -> list[Array]:
    """Count the cards of a set by their pair of faces."""
    counts = []
    for kind in range(encoders.KINDS):
        number = (a >> kind) & 1 if kind < 32 else (b >> (kind - LATE)) & 1
        counts.append(number + ((b >> kind) & 1) if kind < TWICE else number)
    return counts


def fits(face: Array, colours: Array) -> Array:
    """RB-14, RB-15 Tell whether a face may come up beside these colours."""
    return (face == LIGHT) | ((face < COLOURS) & ((colours >> face) & 1 == 0))


class Threats(NamedTuple):
    """What must not come up beside the colours of a row: these colours and the shade (RB-14, RB-15)."""

    faces: Array  # as bits
    one_a: Array  # the cards with such a face, as a set
    one_b: Array
    two_a: Array  # the cards with two such faces
    two_b: Array


def threats(colours: Array) -> Threats:
    """Return the faces and cards that must not come up beside these colours."""
    bad = colours | (1 << SHADE)
    low_a, low_b, high_a, high_b = (jnp.zeros_like(colours) for _ in range(4))
    for face in range(FACE_COUNT):
        if face == LIGHT:
            continue
        is_bad = (bad >> face) & 1 == 1
        low_a |= jnp.where(is_bad, LOWER_A[face], 0)
        low_b |= jnp.where(is_bad, LOWER_B[face], 0)
        high_a |= jnp.where(is_bad, HIGHER_A[face], 0)
        high_b |= jnp.where(is_bad, HIGHER_B[face], 0)
    return Threats(bad, low_a | high_a, low_b | high_b, low_a & high_a, low_b & high_b)


def safe_percent(a: Array, b: Array, face: Array, bad: Threats) -> Array:
    """Return the per cent of the cards with a face in a set whose other face is no threat."""
    with_a, with_b = jnp.zeros_like(face), jnp.zeros_like(face)
    for other in range(FACE_COUNT):
        with_a = jnp.where(face == other, WITH_A[other], with_a)
        with_b = jnp.where(face == other, WITH_B[other], with_b)
    with_a, with_b = with_a & a, with_b & b
    # Where the face itself is a threat, the other face is one too if the card has two.
    itself = (bad.faces >> face) & 1 == 1
    unsafe_a, unsafe_b = jnp.where(itself, bad.two_a, bad.one_a), jnp.where(itself, bad.two_b, bad.one_b)
    every = count(with_a) + count(with_b)
    safe = count(with_a & ~unsafe_a) + count(with_b & ~unsafe_b)
    return encoders.CERTAIN * safe // jnp.maximum(every, 1)
