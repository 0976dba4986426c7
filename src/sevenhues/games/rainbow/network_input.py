"""What a seat that has forgotten nothing knows of what is hidden: few numbers, all that matters from here on."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.core.encoder import Feature
from sevenhues.games.rainbow.pieces import (
    CARDS,
    COLOURS,
    FACE_COUNT,
    HAND,
    LIGHT,
    MOST_TURNED,
    NO_CARD,
    PACK,
    SHADE,
    card_in,
    face_of,
    lying_at,
)
from sevenhues.games.rainbow.rules import RainbowPosition

KINDS: Final = 36  # pairs of faces, in the order of the pack: the lower face first, sorted by the higher
MOST_HALF: Final = 14  # RB-2 cards that have one face
CERTAIN: Final = 100

COPIES: Final = [PACK.count(pair) for pair in sorted(set(PACK), key=lambda pair: (pair[1], pair[0]))]

LAYOUT: Final = (
    Feature("shown", COLOURS, 1, "1 for each colour that the row shows"),
    Feature("other_knows", MOST_TURNED, 1, "1 for each place of the row whose lower face the opponent has seen"),
    Feature("loose", KINDS, 2, "of each pair of faces, the cards the viewer has not seen from both sides"),
    Feature("half", FACE_COUNT, MOST_HALF, "the cards of which the viewer has seen this face and not the other"),
    Feature("blind_odds", HAND, CERTAIN, "per cent of the loose cards with this slot's face that would not lose blind"),
    Feature("other_odds", HAND, CERTAIN, "likewise for the opponent's slots, were they played standard"),
    Feature("flip_odds", MOST_TURNED, CERTAIN, "and for each card of the row, were it turned over; 0 or 100 if known"),
)


def kind(one: i64, other: i64) -> i64:
    """Number a pair of faces."""
    if one < other:
        return other * (other - 1) // 2 + one
    return one * (one - 1) // 2 + other


class Loose:
    """The cards of the pack that a seat has not seen from both sides, by kind."""

    def __init__(self, position: RainbowPosition, seat: i64) -> None:
        self.counts: list[int] = COPIES.copy()
        self.half: list[int] = [0] * FACE_COUNT
        toward = position.known(seat, seat)
        away = position.known(seat, 1 - seat)
        card: i64 = 0
        while card < CARDS:
            if (toward >> card) & 1:
                face = face_of(position.deck, card, seat)
                if (away >> card) & 1:
                    self.counts[kind(face, face_of(position.deck, card, 1 - seat))] -= 1
                else:
                    self.half[face] += 1
            card += 1

    def odds(self, face: i64, colours: i64) -> int:
        """Return the per cent of loose cards with a face whose other face is safe beside these colours."""
        safe: i64 = 0
        every: i64 = 0
        other: i64 = 0
        while other < FACE_COUNT:
            if other != face:
                found: i64 = self.counts[kind(face, other)]
                every += found
                if fits(other, colours):
                    safe += found
            other += 1
        return CERTAIN * safe // every


def fits(face: i64, colours: i64) -> bool:
    """Tell whether a face may come up beside these colours (RB-14, RB-15)."""
    return face == LIGHT or (face != SHADE and not (colours >> face) & 1)


def network_input(position: RainbowPosition, seat: int) -> list[int]:
    """Sum up what a seat remembers, in the order of LAYOUT."""
    me: i64 = seat
    deck = position.deck
    colours = position.colours
    loose = Loose(position, me)
    numbers: list[int] = [(colours >> colour) & 1 for colour in range(COLOURS)]
    knows: list[int] = [0] * MOST_TURNED
    flips: list[int] = [0] * MOST_TURNED
    place: i64 = 0
    while place < position.row_length:
        lying = lying_at(position.row, place)
        card = lying >> 1
        under = 1 - (lying & 1)
        up = face_of(deck, card, lying & 1)
        knows[place] = (position.known(1 - me, under) >> card) & 1
        others = colours & ~bit(up)
        if (position.known(me, under) >> card) & 1:
            flips[place] = CERTAIN if fits(face_of(deck, card, under), others) else 0
        else:
            flips[place] = loose.odds(up, others)
        place += 1
    numbers += knows
    numbers += loose.counts
    numbers += loose.half
    for owner in (me, 1 - me):
        for slot in range(HAND):
            card = card_in(position.hands, owner, slot)
            numbers.append(0 if card == NO_CARD else loose.odds(face_of(deck, card, me), colours))
    numbers += flips
    return numbers
