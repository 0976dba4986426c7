"""Rainbow's cards: faces, decks, hands and rows as small integers.

A deck is `bytes` with one byte per card, from seat 0's end to seat 1's: the face toward seat 0 times 16, plus the
face toward seat 1. Everywhere else a card is its index in the deck. Indexes are public: they tell where a card came
from and nothing about its faces.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from sevenhues.core.rng import Rng

# RB-1 Nine faces: seven colours, light and shade.
FACES: Final = "ROYGBIVWK"
COLOURS: Final = 7
LIGHT: Final = 7
SHADE: Final = 8
FACE_COUNT: Final = 9
UNSEEN: Final = 9  # in place of a face that has not been seen
MAX_CARDS_PER_FACE: Final = 14  # RB-2

CARDS: Final = 57  # RB-1
ALL_CARDS: Final = (1 << 57) - 1
HAND_SIZE: Final = 3  # RB-4, RB-20
RAINBOW: Final = 6  # RB-16 cards in a row
MAX_ROW_LENGTH: Final = 5  # of a row in play: a sixth card ends the round

# The texts of the moves, by number, and the first number of each kind.
MOVES: Final = ("F1", "F2", "F3", "F4", "F5", "S1", "S2", "S3", "B1", "B2", "B3", "E")
TURN_OVER: Final = 0
STANDARD: Final = 5
BLIND: Final = 8
END: Final = 11
MOVE_COUNT: Final = 12
MAX_PLIES: Final = 228  # RB-9, RB-12 four per card: turn over, play, turn over, end

NO_CARD: Final = 63
EMPTY_HANDS: Final = (1 << 36) - 1  # six slots of 6 bits, NO_CARD in each
SLOT_BITS: Final = 6
ROW_BITS: Final = 7
FACE_BITS: Final = 4


def _all_cards() -> list[tuple[int, int]]:
    # RB-2 Every pair of faces once, and every pair of colours a second time.
    cards: list[tuple[int, int]] = []
    for high in range(FACE_COUNT):
        for low in range(high):
            cards.append((low, high))
            if high < COLOURS:
                cards.append((low, high))
    return cards


PACK: Final = tuple(_all_cards())  # each card as (lower face, higher face), sorted by the higher


def card_byte(toward_0: int, toward_1: int) -> int:
    """Return the byte of a card in a deck."""
    return toward_0 << FACE_BITS | toward_1


PACK_BYTES: Final = bytes([card_byte(low, high) for low, high in PACK])


def random_deck(rng: Rng) -> bytes:
    """RB-3 Return a deck in random order, each card in a random orientation."""
    pack = rng.shuffled(PACK_BYTES)
    turned = rng.next()
    deck: vec[u8] = vec[u8]([0] * CARDS)
    card: i64 = 0
    while card < CARDS:
        both: i64 = pack[card]
        deck[card] = u8((both & 15) << FACE_BITS | both >> FACE_BITS if (turned >> card) & 1 else both)
        card += 1
    return bytes(deck)


def face_of(deck: bytes, card: i64, side: i64) -> i64:
    """Return the face of a card toward a seat."""
    both: i64 = deck[card]
    return both & 15 if side else both >> FACE_BITS


def slot_shift(seat: i64, slot: i64) -> i64:
    """Return the position of a slot's bits in `hands`."""
    return SLOT_BITS * (HAND_SIZE * seat + slot)


def card_in(hands: i64, seat: i64, slot: i64) -> i64:
    """Return the card in a slot, from 0, or NO_CARD."""
    return (hands >> slot_shift(seat, slot)) & NO_CARD


def row_entry(row: i64, place: i64) -> i64:
    """Return the card at a place of the row, from 0, times 2, plus the side that is up."""
    return (row >> (ROW_BITS * place)) & 127
