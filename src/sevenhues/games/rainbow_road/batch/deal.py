"""How Rainbow Road's twin deals, from two random words a game."""

import jax.numpy as jnp
import numpy as np
from jax import Array

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import GOLDEN, U32
from sevenhues.games.rainbow_road.batch.board import HELD_MASK, I32, PRANK_BITS, TALLY, TALLY_MASK, Table, both
from sevenhues.games.rainbow_road.board import LEADING
from sevenhues.games.rainbow_road.pieces import (
    COPIES,
    FIRST_OPEN,
    HALF,
    HAND,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    OPEN,
    PRANKS_EACH,
    SECOND_OPEN,
)

CARDS = NUMBERS * COPIES
OPEN_SPOTS = (FIRST_OPEN, SECOND_OPEN, HALF + FIRST_OPEN, HALF + SECOND_OPEN)  # RR-2


def dealt(low: Array, high: Array) -> Table:
    """Deal games from two random words each."""
    draws = _Draws(low, high)
    # RR-1 Two cards open before each player, one into the box, eight to each hand.
    cards = jnp.full_like(low, (1 << CARDS) - 1)
    field = []
    gone = jnp.zeros_like(low)
    for at in range(2 * OPEN + 1):
        card = draws.member(cards, CARDS - at)
        cards &= ~(U32(1) << card)
        gone += U32(1) << 2 * (card // COPIES)
        field.append((card // COPIES).astype(I32) + 1)
    mine = jnp.zeros_like(low)
    for at in range(HAND):
        card = draws.member(cards, 2 * HAND - at)
        cards &= ~(U32(1) << card)
        mine += U32(1) << 2 * (card // COPIES)
    hands = (mine | (TALLY_MASK - gone - mine) << TALLY).astype(I32)
    # RR-5 Two pranks each.
    pranks = jnp.full_like(low, HELD_MASK)
    held = jnp.zeros_like(low)
    for at in range(2 * PRANKS_EACH):
        prank = U32(1) << draws.member(pranks, PRANK_BITS - at, 8)
        pranks &= ~prank
        held |= prank << (PRANK_BITS * (at // PRANKS_EACH))
    # RR-4 Who begins is random.
    first = (draws.word() & 1).astype(I32)
    return _laid_out(hands, field[: 2 * OPEN], held.astype(I32), first)


def _laid_out(hands: Array, field: list[Array], held: Array, first: Array) -> Table:
    """RR-2, RR-4 Lay a deal out."""
    none = jnp.zeros_like(hands)
    road = sum([number << (NUMBER_BITS * spot) for number, spot in zip(field, OPEN_SPOTS, strict=True)], none)
    low_left = jnp.where(first == 0, field[0] < field[1], field[2] < field[3])
    high_left = jnp.where(first == 0, field[2] > field[3], field[0] > field[1])
    return Table(
        road=road,
        hands=hands,
        turn=first,
        phase=none + LEADING,
        discards=none,
        filled=none + sum([1 << spot for spot in OPEN_SPOTS]),
        round=none,
        ways=none,
        hopped=none,
        pranked=none,
        sunny=HALF * first + jnp.where(low_left, FIRST_OPEN, SECOND_OPEN),
        rain=HALF * (1 - first) + jnp.where(high_left, FIRST_OPEN, SECOND_OPEN),
        marks=none + both(NO_SPOT),
        owed=none + NO_SPOT,
        origin=none + NO_SPOT,
        gains=none,
        held=held,
        used=none,
        scores=none,
    )


class _Draws:
    """Random numbers for a deal, from two words a game."""

    def __init__(self, low: Array, high: Array) -> None:
        self.low = low
        self.high = high
        self.drawn = 0

    def word(self) -> Array:
        self.drawn += 1
        return jax_bits.mix(self.high ^ jax_bits.mix(self.low + np.uint32(self.drawn * int(GOLDEN) & 0xFFFFFFFF)))

    def member(self, bits: Array, many: int, width: int = 32) -> Array:
        """Draw a member of a set of so many."""
        return jax_bits.nth(bits, jax_bits.below(self.word(), U32(many)), width)
