"""Encodings of Rainbow positions: the observation, the information state, and what networks read besides."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.games.rainbow.pieces import (
    CARDS,
    COLOURS,
    FACE_COUNT,
    HAND_SIZE,
    LIGHT,
    MAX_CARDS_PER_FACE,
    MAX_ROW_LENGTH,
    NO_CARD,
    PACK,
    SHADE,
    UNSEEN,
    card_in,
    face_of,
    row_entry,
)
from sevenhues.games.rainbow.rules import RainbowPosition
from sevenhues.games.rainbow.view import KnownFaces

NOTHING: Final = 10  # the code of a place without a card; UNSEEN is that of a face
FACE_CODES: Final = "0-8 a face (ROYGBIVWK), 9 unseen, 10 no card"

OBSERVATION_LAYOUT: Final = (
    Feature("my_turn", 1, 1, "1 if the viewer is to act (for a watcher: seat 0)"),
    Feature("over", 1, 1, "1 if the game is over"),
    Feature("played", 1, HAND_SIZE, "cards played this turn"),
    Feature("turned", 1, 1, "1 if the turn's last action was a turning-over"),
    Feature("my_hand", HAND_SIZE, NOTHING, f"the viewer's hand by slot: {FACE_CODES}"),
    Feature("other_hand", HAND_SIZE, NOTHING, f"the opponent's hand by slot: {FACE_CODES}"),
    Feature("row", MAX_ROW_LENGTH, NOTHING, f"the row by place: {FACE_CODES}"),
    Feature("row_under", MAX_ROW_LENGTH, NOTHING, f"the faces below, as far as ever seen: {FACE_CODES}"),
    Feature("deck", 1, CARDS, "cards left in the deck"),
    Feature("next", 1, NOTHING, f"the next card at the viewer's end: {FACE_CODES}"),
    Feature("my_pile", 1, CARDS, "cards the viewer has won"),
    Feature("other_pile", 1, CARDS, "cards the opponent has won"),
)
OBSERVATION_SIZE: Final = sum([feature.size for feature in OBSERVATION_LAYOUT])

INFORMATION_STATE_LAYOUT: Final = (
    Feature("my_first", 1, 1, "1 if the viewer (for a watcher: seat 0) began the game"),
    Feature("toward_me", CARDS, UNSEEN, "of each card as dealt, from the viewer's end, the face toward the viewer"),
    Feature("away", CARDS, UNSEEN, "and the face toward the opponent; 9 where the viewer has not seen it"),
)

KINDS: Final = 36  # pairs of faces, in the order of the pack: the lower face first, sorted by the higher
COPIES: Final = [PACK.count(pair) for pair in sorted(set(PACK), key=lambda pair: (pair[1], pair[0]))]
CERTAIN: Final = 100  # per cent

NETWORK_INPUT_LAYOUT: Final = (
    Feature("shown", COLOURS, 1, "1 for each colour that the row shows"),
    Feature("other_knows", MAX_ROW_LENGTH, 1, "1 for each place of the row whose lower face the opponent has seen"),
    Feature("loose", KINDS, 2, "of each pair of faces, the cards the viewer has not seen from both sides"),
    Feature(
        "half", FACE_COUNT, MAX_CARDS_PER_FACE, "the cards of which the viewer has seen this face and not the other"
    ),
    Feature(
        "blind_odds", HAND_SIZE, CERTAIN, "per cent of the loose cards with this slot's face that would not lose blind"
    ),
    Feature("other_odds", HAND_SIZE, CERTAIN, "likewise for the opponent's slots, were they played standard"),
    Feature(
        "flip_odds", MAX_ROW_LENGTH, CERTAIN, "and for each card of the row, were it turned over; 0 or 100 if known"
    ),
)


class RainbowObservation(Encoder[RainbowPosition]):
    """Encodes what a seat sees, and the faces of the row that it has seen."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return OBSERVATION_LAYOUT

    def encode(self, position: RainbowPosition, seat: int) -> list[int]:
        numbers: vec[i64] = vec[i64]([0] * OBSERVATION_SIZE)
        self.write(position, seat, numbers, 0)
        return [numbers[i] for i in range(OBSERVATION_SIZE)]

    def write(self, position: RainbowPosition, seat: int, numbers: vec[i64], start: i64) -> None:
        known = KnownFaces(position, seat)
        me: i64 = max(seat, 0)
        numbers[start] = 1 if not position.over and position.turn == me else 0
        numbers[start + 1] = 1 if position.over else 0
        numbers[start + 2] = position.played
        numbers[start + 3] = 1 if position.turned else 0
        at = start + 4
        for i in range(2):
            owner = 1 - me if i else me
            for slot in range(HAND_SIZE):
                card = card_in(position.hands, owner, slot)
                numbers[at] = NOTHING
                if card != NO_CARD:
                    numbers[at] = known.facing(card)
                at += 1
        for flip in range(2):
            for place in range(MAX_ROW_LENGTH):
                numbers[at] = NOTHING
                if place < position.row_length:
                    entry = row_entry(position.row, place) ^ flip
                    numbers[at] = known.face(entry >> 1, entry & 1)
                at += 1
        deck: i64 = position.deck_count()
        numbers[at] = deck
        numbers[at + 1] = NOTHING
        if deck:
            numbers[at + 1] = known.facing(position.back if me else position.front)
        numbers[at + 2] = bits.count(position.pile_1 if me else position.pile_0)
        numbers[at + 3] = bits.count(position.pile_0 if me else position.pile_1)


class RainbowInformationState(Encoder[RainbowPosition]):
    """Encodes every face that a seat has seen."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return INFORMATION_STATE_LAYOUT

    def encode(self, position: RainbowPosition, seat: int) -> list[int]:
        known = KnownFaces(position, seat)
        me: i64 = max(seat, 0)
        numbers: list[int] = [int(position.first == me)]
        for side in (me, 1 - me):
            for place in range(CARDS):
                numbers.append(known.face(CARDS - 1 - place if me else place, side))
        return numbers


class RainbowNetworkInput(Encoder[RainbowPosition]):
    """Encodes what a seat with perfect memory knows of hidden faces, in few numbers."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return NETWORK_INPUT_LAYOUT

    def encode(self, position: RainbowPosition, seat: int) -> list[int]:
        me: i64 = seat
        deck = position.deck
        colours = position.colours
        loose = LooseCards(position, me)
        numbers: list[int] = [(colours >> colour) & 1 for colour in range(COLOURS)]
        other_knows: list[int] = [0] * MAX_ROW_LENGTH
        flip_odds: list[int] = [0] * MAX_ROW_LENGTH
        place: i64 = 0
        while place < position.row_length:
            entry = row_entry(position.row, place)
            card = entry >> 1
            under = 1 - (entry & 1)
            up = face_of(deck, card, entry & 1)
            other_knows[place] = (position.known(1 - me, under) >> card) & 1
            others = colours & ~bit(up)
            if (position.known(me, under) >> card) & 1:
                flip_odds[place] = CERTAIN if fits(face_of(deck, card, under), others) else 0
            else:
                flip_odds[place] = loose.odds(up, others)
            place += 1
        numbers += other_knows
        numbers += loose.counts
        numbers += loose.half
        for owner in (me, 1 - me):
            for slot in range(HAND_SIZE):
                card = card_in(position.hands, owner, slot)
                numbers.append(0 if card == NO_CARD else loose.odds(face_of(deck, card, me), colours))
        numbers += flip_odds
        return numbers


def kind(one: i64, other: i64) -> i64:
    """Return the number of a pair of faces."""
    if one < other:
        return other * (other - 1) // 2 + one
    return one * (one - 1) // 2 + other


def fits(face: i64, colours: i64) -> bool:
    """Tell whether a face may come up beside these colours (RB-14, RB-15)."""
    return face == LIGHT or (face != SHADE and not (colours >> face) & 1)


class LooseCards:
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
        total: i64 = 0
        other: i64 = 0
        while other < FACE_COUNT:
            if other != face:
                count: i64 = self.counts[kind(face, other)]
                total += count
                if fits(other, colours):
                    safe += count
            other += 1
        return CERTAIN * safe // total
