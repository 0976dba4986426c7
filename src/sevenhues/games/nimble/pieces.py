"""The cards of Nimble, and the compact representation of what a player holds.

Flipping, taking back and turning over never change the order of a player's cards: the discard pile from bottom to top,
followed by the set from top to bottom, is always the dealt set without the cards placed on stacks. So the cards of a
player are represented by a set of places in the dealt order, and a mark. The pile consists of the places before the
mark, its top card last, and the set of the places from the mark on.

The number of a card is its owner's seat times 30 plus its place in the owner's dealt set. It is public: it reveals the
owner and when the card comes up, and nothing about its colours.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit

# NB-1 Six colours, each named after a classic book.
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
CARDS_PER_FRAME: Final = 5  # NB-2 cards of one frame in a set
STACKS: Final = 3  # NB-3
MAX_SEATS: Final = 4
MAX_HEIGHT: Final = 118  # of a stack: all cards of four sets but one on each other stack

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
FIRST_STACK: Final = 0o111111  # the bit of the first stack, for each of the six colours
STACK_BITS: Final = 2
STACK_MASK: Final = 3
NUMBER_BITS: Final = 7  # for a card's number or a stack's height
NUMBER_MASK: Final = 127


def card_byte(frame: int, circle: int) -> int:
    """Return a card as one byte."""
    return frame << COLOUR_BITS | circle


# NB-2 Every pair of a frame and a different circle once.
PACK: Final = bytes(
    [card_byte(frame, circle) for frame in range(COLOUR_COUNT) for circle in range(COLOUR_COUNT) if frame != circle]
)
KINDS: Final = bytes([max(PACK.find(card), 0) for card in range(PACK[-1] + 1)])  # the index of each card in PACK


def card_text(card: int) -> str:
    """Return the text of a card: its frame and its circle."""
    return COLOURS[card >> COLOUR_BITS] + COLOURS[card & COLOUR_MASK]


def count_at(counts: i64, index: i64) -> i64:
    """Return one of several counts that are packed into a number."""
    return (counts >> (COUNT_BITS * index)) & COUNT_MASK


def with_count(counts: i64, index: i64, count: i64) -> i64:
    """Return packed counts with one of them replaced."""
    return counts ^ ((count_at(counts, index) ^ count) << (COUNT_BITS * index))


def number_at(numbers: i64, stack: i64) -> i64:
    """Return one of three numbers, one for each stack, that are packed into one."""
    return (numbers >> (NUMBER_BITS * stack)) & NUMBER_MASK


def with_number(numbers: i64, stack: i64, new: i64) -> i64:
    """Return packed numbers with that of one stack replaced."""
    return numbers ^ ((number_at(numbers, stack) ^ new) << (NUMBER_BITS * stack))


def mark_after(places: i64, mark: i64) -> i64:
    """Return the mark after the next card of the set is flipped."""
    return mark + bits.lowest(places >> mark) + 1


def mark_before(places: i64, end: i64) -> i64:
    """Return the mark just after the last held card before the place `end`; 0 if there is none."""
    smeared = places & (bit(end) - 1)
    smeared |= smeared >> 1
    smeared |= smeared >> 2
    smeared |= smeared >> 4
    smeared |= smeared >> 8
    smeared |= smeared >> 16
    return bits.count(smeared)
