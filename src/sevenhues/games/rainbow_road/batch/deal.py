"""Deals of Rainbow Road for many games at once, from two random words per game."""

import jax.numpy as jnp
import numpy as np
from jax import Array

from sevenhues.batch import jax_bits
from sevenhues.batch.jax_bits import GOLDEN, U32
from sevenhues.games.rainbow_road.batch.board import HELD_MASK, I32, PRANK_BITS, TALLY_BITS, TALLY_MASK, Board, both
from sevenhues.games.rainbow_road.board import LEADING
from sevenhues.games.rainbow_road.pieces import (
    COPIES,
    FIRST_OPEN,
    HALF,
    HAND_SIZE,
    NO_SPOT,
    NUMBER_BITS,
    NUMBERS,
    OPEN,
    PRANKS_EACH,
    SECOND_OPEN,
)

CARDS = NUMBERS * COPIES
OPEN_SPOTS = (FIRST_OPEN, SECOND_OPEN, HALF + FIRST_OPEN, HALF + SECOND_OPEN)  # RR-2


def deal_boards(low: Array, high: Array) -> Board:
    """Deal games."""
    draws = _RandomDraws(low, high)
    # RR-1 Two open cards for each player, one card in the box, eight cards in each hand.
    cards = jnp.full_like(low, (1 << CARDS) - 1)
    open_cards = []
    gone = jnp.zeros_like(low)
    for at in range(2 * OPEN + 1):
        card = draws.member(cards, CARDS - at)
        cards &= ~(U32(1) << card)
        gone += U32(1) << 2 * (card // COPIES)
        open_cards.append((card // COPIES).astype(I32) + 1)
    hand = jnp.zeros_like(low)
    for at in range(HAND_SIZE):
        card = draws.member(cards, 2 * HAND_SIZE - at)
        cards &= ~(U32(1) << card)
        hand += U32(1) << 2 * (card // COPIES)
    hands = (hand | (TALLY_MASK - gone - hand) << TALLY_BITS).astype(I32)
    # RR-5 Two pranks each.
    pranks = jnp.full_like(low, HELD_MASK)
    held = jnp.zeros_like(low)
    for at in range(2 * PRANKS_EACH):
        prank = U32(1) << draws.member(pranks, PRANK_BITS - at, 8)
        pranks &= ~prank
        held |= prank << (PRANK_BITS * (at // PRANKS_EACH))
    # RR-4 The first seat is random.
    first = (draws.word() & 1).astype(I32)
    return _new_board(hands, open_cards[: 2 * OPEN], held.astype(I32), first)


def _new_board(hands: Array, open_cards: list[Array], held: Array, first: Array) -> Board:
    """RR-2, RR-4 Return the board of a deal."""
    none = jnp.zeros_like(hands)
    numbers = sum([number << (NUMBER_BITS * spot) for number, spot in zip(open_cards, OPEN_SPOTS, strict=True)], none)
    low_left = jnp.where(first == 0, open_cards[0] < open_cards[1], open_cards[2] < open_cards[3])
    high_left = jnp.where(first == 0, open_cards[2] > open_cards[3], open_cards[0] > open_cards[1])
    return Board(
        numbers=numbers,
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


class _RandomDraws:
    """Random numbers for a deal, from two words per game."""

    def __init__(self, low: Array, high: Array) -> None:
        self.low = low
        self.high = high
        self.drawn = 0

    def word(self) -> Array:
        """Draw a random word."""
        self.drawn += 1
        return jax_bits.mix(self.high ^ jax_bits.mix(self.low + np.uint32(self.drawn * int(GOLDEN) & 0xFFFFFFFF)))

    def member(self, bits: Array, size: int, width: int = 32) -> Array:
        """Draw a random member of a set of `size` members."""
        return jax_bits.nth(bits, jax_bits.below(self.word(), U32(size)), width)
