"""Rainbow's cards: faces, decks, hands and rows as small numbers.

A deck is `bytes`, one byte a card from seat 0's end to seat 1's: the face toward seat 0 times 16, plus the
face toward seat 1. Everywhere else a card is its index in that deck, which everybody may know: it tells
where the card came from and nothing of its faces.
"""

from typing import Final

from mypy_extensions import i64

# RB-1 Nine faces: seven colours, light and shade.
FACES: Final = "ROYGBIVWK"
COLOURS: Final = 7
LIGHT: Final = 7
SHADE: Final = 8
FACE_COUNT: Final = 9
UNSEEN: Final = 9  # stands for a face in features and knowledge

CARDS: Final = 57  # RB-1
ALL_CARDS: Final = (1 << 57) - 1
HAND: Final = 3  # RB-4, RB-20
RAINBOW: Final = 6  # RB-16 cards in a row
MOST_TURNED: Final = 5  # the longest row in which a card can be turned over

# Moves, in the order of their numbers.
MOVES: Final = ("F1", "F2", "F3", "F4", "F5", "S1", "S2", "S3", "B1", "B2", "B3", "E")
TURN_OVER: Final = 0
STANDARD: Final = 5
BLIND: Final = 8
END: Final = 11
MOVE_COUNT: Final = 12
MAX_PLIES: Final = 228  # RB-9, RB-12 four a card: turn over, play, turn over, end

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
    """Pack a card as a deck holds it."""
    return toward_0 << FACE_BITS | toward_1


def face_of(deck: bytes, card: i64, side: i64) -> i64:
    """Return the face of a card toward a seat."""
    both: i64 = deck[card]
    return both & 15 if side else both >> FACE_BITS


def slot_shift(seat: i64, slot: i64) -> i64:
    return SLOT_BITS * (HAND * seat + slot)


def card_in(hands: i64, seat: i64, slot: i64) -> i64:
    """Return the card in a slot, from 0, or NO_CARD."""
    return (hands >> slot_shift(seat, slot)) & NO_CARD


def lying_at(row: i64, place: i64) -> i64:
    """Return what lies at a place of the row, from 0: its card times 2, plus the side that is up."""
    return (row >> (ROW_BITS * place)) & 127
