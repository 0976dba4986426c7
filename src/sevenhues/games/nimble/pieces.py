"""Nimble's cards: sets, places and marks as small numbers.

Flipping, taking back and turning over never change the order of a player's cards: the discard pile from its bottom to
its top, followed by the set from its top to its bottom, is always the set as dealt without the cards that were laid on
stacks. So what a player holds is a set of places in the order as dealt, and a mark: the pile lies before it, its top
card just before it, and the set from it on.

A card's number is its owner's seat times 30 plus its place in that owner's set as dealt, which everybody may know: it
tells whose card it is and when it comes up, and nothing of its colours.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit

# NB-1 Six colours, each a classic.
COLOURS: Final = "AMEWPQ"
BOOKS: Final = (
    "Alice",
    "Moby-Dick",
    "Around the World in Eighty Days",
    "The War of the Worlds",
    "Pinocchio",
    "Don Quixote",
)
COLOUR_COUNT: Final = 6

SET: Final = 30  # NB-2 cards in a set
FRAMES_A_SET: Final = 5  # NB-2 cards of one frame in a set
STACKS: Final = 3  # NB-3
MOST_SEATS: Final = 4
HIGHEST: Final = 118  # what a stack can grow to: all cards of four sets but one on each other stack

# Moves, in the order of their numbers.
MOVES: Final = ("f", "p1", "p2", "p3", "b", "t")
FLIP: Final = 0
PLACE: Final = 1  # on the first stack
TAKE_BACK: Final = 4
TURN_OVER: Final = 5
MOVE_COUNT: Final = 6

ALL_PLACES: Final = (1 << 30) - 1
COUNT_BITS: Final = 5  # for a number from 0 to 30
COUNT_MASK: Final = 31
COLOUR_BITS: Final = 3
COLOUR_MASK: Final = 7
ALL_STACKS: Final = 7
ON_ONE_STACK: Final = 0o111111  # of each colour's three bits the first
STACK_BITS: Final = 2
STACK_MASK: Final = 3
NUMBER_BITS: Final = 7  # for a card's number or a stack's height
NUMBER_MASK: Final = 127


def card_byte(frame: int, circle: int) -> int:
    """Pack a card as sets hold it."""
    return frame << COLOUR_BITS | circle


# NB-2 Every pair of a frame and another circle once.
PACK: Final = bytes(
    [card_byte(frame, circle) for frame in range(COLOUR_COUNT) for circle in range(COLOUR_COUNT) if frame != circle]
)
KINDS: Final = bytes([max(PACK.find(card), 0) for card in range(PACK[-1] + 1)])  # each card's place in PACK


def card_text(card: int) -> str:
    """Write a card: its frame, its circle."""
    return COLOURS[card >> COLOUR_BITS] + COLOURS[card & COLOUR_MASK]


def field(counts: i64, at: i64) -> i64:
    """Return one of several counts packed into a number."""
    return (counts >> (COUNT_BITS * at)) & COUNT_MASK


def with_field(counts: i64, at: i64, count: i64) -> i64:
    """Return packed counts with one of them changed."""
    return counts ^ ((field(counts, at) ^ count) << (COUNT_BITS * at))


def number(numbers: i64, stack: i64) -> i64:
    """Return one of three numbers, one for each stack, packed into one."""
    return (numbers >> (NUMBER_BITS * stack)) & NUMBER_MASK


def with_number(numbers: i64, stack: i64, new: i64) -> i64:
    """Return packed numbers with that of one stack changed."""
    return numbers ^ ((number(numbers, stack) ^ new) << (NUMBER_BITS * stack))


def mark_after(places: i64, mark: i64) -> i64:
    """Return the mark once the next card of the set has been flipped."""
    return mark + bits.lowest(places >> mark) + 1


def mark_before(places: i64, end: i64) -> i64:
    """Return the mark behind the last card that lies before the place `end`; 0 if none does."""
    smeared = places & (bit(end) - 1)
    smeared |= smeared >> 1
    smeared |= smeared >> 2
    smeared |= smeared >> 4
    smeared |= smeared >> 8
    smeared |= smeared >> 16
    return bits.count(smeared)
