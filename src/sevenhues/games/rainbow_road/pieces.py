"""Rainbow Road's cards, spots, pranks and moves as small integers.

A *tally* counts cards by number, with five bits per number: the count of the 1s in the lowest five bits, and so on. The
`numbers` on the ring take three bits per spot, 0 for an empty spot. Cards that have been shown also have an id, from 1
in the order in which they were shown. It lets a client follow a card and reveals nothing.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit

# RR-1 Three each of the numbers 1 to 7; eight in each hand, two open before each player, one in the box.
NUMBERS: Final = 7
COPIES: Final = 3
HAND_SIZE: Final = 8
OPEN: Final = 2

TALLY_BITS: Final = 5
ONE_OF_EACH: Final = 0x42108421  # the tally of one card of every number
PACK: Final = 3 * 0x42108421

# RR-2, RR-3 Five spots to a half, a1 to a5 and b1 to b5, in a ring.
SPOTS: Final = ("a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "b5")
HALF: Final = 5
RING: Final = 10
ALL_SPOTS: Final = 1023
HALF_SPOTS: Final = 31
FIRST_OPEN: Final = 1  # RR-2 spots 2 and 4 of a half, counted from 0
SECOND_OPEN: Final = 3
NO_SPOT: Final = 10
NUMBER_BITS: Final = 3
CARD_BITS: Final = 5
NO_CARD: Final = 0

# RR-3 The two ways round the ring.
WAYS: Final = "+-"
BACK: Final = 1
BOTH_WAYS: Final = 3

# RR-5 The pranks, and the bit of each in a set.
PRANKS: Final = ("exchange", "jump", "skip", "trash", "teleport", "recycle")
EXCHANGE: Final = 1
JUMP: Final = 2
SKIP: Final = 4
TRASH: Final = 8
TELEPORT: Final = 16
RECYCLE: Final = 32
ALL_PRANKS: Final = 63
PRANKS_EACH: Final = 2

ROUNDS: Final = 8  # RR-6
GAIN_BITS: Final = 4  # a fairy that goes all the way round scores ten points
MAX_GAIN: Final = 10

# Moves. Spots are counted from the first spot of the mover's half, so that both seats' moves have the same numbers.
STOP: Final = 35  # lower moves play a card: five times the number less one, plus the spot
HOP: Final = 36  # plus the way, like the next two
JUMP_HOP: Final = 38
SKIP_HOP: Final = 40
TRASHING: Final = 42  # plus the spot
TELEPORTING: Final = 52  # plus the spot
EXCHANGING: Final = 62  # plus the pair of spots
RECYCLING: Final = 107  # plus ten times the number less one, plus the spot
MOVE_COUNT: Final = 177

# RR-19 A move of the Sunny Fairy ends after at most ten hops. A move of the Rain Fairy continues if a skip passes over
# the card where it began, so it ends after at most nineteen. One prank may come first. A round begins with two plays.
MAX_PLIES: Final = 256


def tally_of(numbers: list[int]) -> i64:
    """Return the tally of a list of numbers."""
    tally: i64 = 0
    for number in numbers:
        tally += one_of(number)
    return tally


def one_of(number: i64) -> i64:
    """Return the tally of one card."""
    return bit(TALLY_BITS * (number - 1))


def numbers_in(tally: i64) -> i64:
    """Return the lowest bit of each number that occurs in a tally."""
    return (tally | tally >> 1) & ONE_OF_EACH


def count_of(tally: i64, number: i64) -> i64:
    """Return the count of a number in a tally."""
    return (tally >> (TALLY_BITS * (number - 1))) & COPIES


def size(tally: i64) -> i64:
    """Return the number of cards of a tally."""
    total: i64 = 0
    while tally:
        total += tally & COPIES
        tally >>= TALLY_BITS
    return total


def listed(tally: i64) -> list[int]:
    """Return the numbers of the cards of a tally, ascending."""
    cards: list[int] = []
    number: i64 = 1
    while number <= NUMBERS:
        copies = count_of(tally, number)
        while copies > 0:
            cards.append(number)
            copies -= 1
        number += 1
    return cards


def number_at(numbers: i64, spot: i64) -> i64:
    """Return the number on a spot, or 0."""
    return (numbers >> (NUMBER_BITS * spot)) & 7


def next_spot(numbers: i64, spot: i64, way: i64) -> i64:
    """RR-14 Return the next spot with a card; empty spots are passed over."""
    step: i64 = RING - 1 if way else 1
    while True:
        spot += step
        if spot >= RING:
            spot -= RING
        if number_at(numbers, spot):
            return spot


def seen_from(seat: i64, spot: i64) -> i64:
    """Convert a spot to count from the first spot of a seat's half. The function is its own inverse."""
    if seat == 0:
        return spot
    return spot + HALF if spot < HALF else spot - HALF


def mask_seen_from(seat: i64, spots: i64) -> i64:
    """Convert a set of spots to count from the first spot of a seat's half."""
    return spots if seat == 0 else (spots << HALF | spots >> HALF) & ALL_SPOTS


def pair_number(low: i64, high: i64) -> i64:
    """Return the number of a pair of spots: ordered by the higher spot, then by the lower."""
    return high * (high - 1) // 2 + low


def pair_high(pair: i64) -> i64:
    """Return the higher spot of a pair; `pair - pair_number(0, high)` is the lower."""
    high: i64 = 1
    while pair >= high:
        pair -= high
        high += 1
    return high


def card_on(cards: i64, spot: i64) -> i64:
    """Return the id of the card on a spot, or NO_CARD."""
    return (cards >> (CARD_BITS * spot)) & 31


def gain_in(gains: i64, round_: i64) -> i64:
    """Return the points of a round, from 0, out of a seat's gains: four bits per round."""
    return (gains >> (GAIN_BITS * round_)) & 15


def all_gains(gains: i64) -> i64:
    """Return the sum of a seat's gains."""
    pairs = (gains & 0x0F0F0F0F) + ((gains >> GAIN_BITS) & 0x0F0F0F0F)
    return ((pairs * 0x01010101) >> 24) & 255


def _move_texts(seat: int) -> tuple[str, ...]:
    """Return the texts of all moves of a seat, by number."""
    spots = [SPOTS[seen_from(seat, spot)] for spot in range(RING)]
    texts: list[str] = []
    for number in range(1, NUMBERS + 1):
        texts += [f"P{number}{spot}" for spot in spots[:HALF]]
    texts += ["stop", "+", "-", "jump+", "jump-", "skip+", "skip-"]
    texts += [f"trash:{spot}" for spot in spots]
    texts += [f"teleport:{spot}" for spot in spots]
    for high in range(1, RING):
        for low in range(high):
            texts.append("exchange:" + ",".join(sorted([spots[low], spots[high]])))
    for number in range(1, NUMBERS + 1):
        texts += [f"recycle:{number}>{spot}" for spot in spots]
    return tuple(texts)


MOVES: Final = (_move_texts(0), _move_texts(1))  # by seat and number
