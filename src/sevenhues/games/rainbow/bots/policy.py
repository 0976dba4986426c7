"""A fast policy for Rainbow: evaluates every move one ply deep, from what the seat to act has seen.

Values come from a table (see value_table.py) by the length of the row, the cards played, and the numbers of cards that
are safe to play and safe to turn over. The chance of an unseen face depends on how often the pack pairs it with the
face that is seen.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.games.rainbow.bots.value_table import (
    KNOWN_PLACE_COUNTS,
    ROW_LENGTHS,
    SAFE_CARD_COUNTS,
    SAFE_FLIP_COUNTS,
    ValueTable,
)
from sevenhues.games.rainbow.pieces import (
    BLIND,
    COLOURS,
    END,
    HAND_SIZE,
    LIGHT,
    NO_CARD,
    RAINBOW,
    SHADE,
    STANDARD,
    UNSEEN,
    card_in,
    face_of,
    row_entry,
)
from sevenhues.games.rainbow.rules import RainbowPosition

NO_FACE: Final = 15
LOWEST: Final = -1000.0  # below every value


def safe_chance(seen: i64, colours: i64) -> float:
    """Return the chance that the other face of a card does not lose, by the pack alone (RB-2)."""
    shown: i64 = 0
    for colour in range(COLOURS):
        if (colours >> colour) & 1 and colour != seen:
            shown += 1
    if seen < COLOURS:
        return float(13 - 2 * shown) / 14.0
    return float(8 - shown if seen == SHADE else 7 - shown) / 8.0


class KnownTable:
    """What the seat to act knows of row and hand. Numbers its turns for a ValueTable and evaluates its moves."""

    def __init__(self, position: RainbowPosition) -> None:
        seat = position.turn
        deck = position.deck
        mine_0: i64 = position.known(seat, 0)
        mine_1: i64 = position.known(seat, 1)
        theirs_0: i64 = position.known(1 - seat, 0)
        theirs_1: i64 = position.known(1 - seat, 1)
        self.length: i64 = position.row_length
        self.played: i64 = position.played
        self.turned = position.turned
        self.colours: i64 = position.colours
        self.up: i64 = 0  # four bits a place
        self.under: i64 = 0
        self.hand: i64 = 0  # four bits a slot
        self.known_to_opponent: i64 = 0  # places whose lower face the opponent has seen and that may be safe to flip
        place: i64 = 0
        while place < self.length:
            entry = row_entry(position.row, place)
            card = entry >> 1
            side = 1 - (entry & 1)
            up = face_of(deck, card, entry & 1)
            under: i64 = UNSEEN
            if ((mine_1 if side else mine_0) >> card) & 1:
                under = face_of(deck, card, side)
            self.up |= up << (4 * place)
            self.under |= under << (4 * place)
            if ((theirs_1 if side else theirs_0) >> card) & 1 and (under == UNSEEN or self._fits(under, up)):
                self.known_to_opponent += 1
            place += 1
        slot: i64 = 0
        while slot < HAND_SIZE:
            card = card_in(position.hands, seat, slot)
            face: i64 = NO_FACE if card == NO_CARD else face_of(deck, card, seat)
            self.hand |= face << (4 * slot)
            slot += 1

    def _fits(self, face: i64, instead: i64) -> bool:
        """Tell whether a face may come up in place of the face `instead`."""
        if face >= COLOURS:
            return face == LIGHT
        return not (self.colours >> face) & 1 or face == instead

    def safe_plays(self, hand: i64, colours: i64) -> i64:
        """Count the cards that can be played standard without losing."""
        count: i64 = 0
        slot: i64 = 0
        while slot < HAND_SIZE:
            face = (hand >> (4 * slot)) & 15
            if face <= LIGHT and not (colours >> face) & 1:
                count += 1
            slot += 1
        return count

    def safe_flips(self, up: i64, under: i64, length: i64, colours: i64) -> i64:
        """Count the cards of the row that are known to be safe to turn over, up to two."""
        count: i64 = 0
        place: i64 = 0
        while place < length:
            face = (under >> (4 * place)) & 15
            if face <= LIGHT and (not (colours >> face) & 1 or face == (up >> (4 * place)) & 15):
                count += 1
                if count == SAFE_FLIP_COUNTS - 1:
                    break
            place += 1
        return count

    def turn_index(self) -> i64:
        """Return the index of this state in `ValueTable.turn`."""
        flips = self.safe_flips(self.up, self.under, self.length, self.colours)
        return self._turn_index(self.played, self.turned, self.length, self.safe_plays(self.hand, self.colours), flips)

    def _turn_index(self, played: i64, turned: bool, length: i64, safe: i64, flips: i64) -> i64:
        phase: i64 = played * 2 + (1 if turned else 0)
        return ((phase * ROW_LENGTHS + length) * SAFE_CARD_COUNTS + safe) * SAFE_FLIP_COUNTS + flips

    def handover_index(self, length: i64, known_to_opponent: i64) -> i64:
        """Return the index in `ValueTable.handover` of a row that is left to the opponent."""
        return length * KNOWN_PLACE_COUNTS + min(known_to_opponent, KNOWN_PLACE_COUNTS - 1)

    def move_value(self, move: i64, values: ValueTable) -> float:
        """Estimate the value of a move, in cards."""
        if move == END:
            return values.handover[self.handover_index(self.length, self.known_to_opponent)]
        if move < STANDARD:
            return self._value_of_flip(move, values)
        if move < BLIND:
            return self._value_of_play(move - STANDARD, False, values)
        return self._value_of_play(move - BLIND, True, values)

    def _value_of_flip(self, place: i64, values: ValueTable) -> float:
        at = 4 * place
        up = (self.up >> at) & 15
        under = (self.under >> at) & 15
        colours = self.colours
        if up < COLOURS:
            colours &= ~bit(up)
        chance = 1.0
        if under == UNSEEN:
            chance = safe_chance(up, colours)
        elif not self._fits(under, up):
            return values.round_start - float(self.length)
        elif under < COLOURS:
            colours |= bit(under)
        mask: i64 = 15
        row_up = (self.up & ~(mask << at)) | under << at
        row_under = (self.under & ~(mask << at)) | up << at
        flips = self.safe_flips(row_up, row_under, self.length, colours)
        index = self._turn_index(self.played, True, self.length, self.safe_plays(self.hand, colours), flips)
        return chance * values.turn[index] + (1.0 - chance) * (values.round_start - float(self.length))

    def _value_of_play(self, slot: i64, blind: bool, values: ValueTable) -> float:
        face = (self.hand >> (4 * slot)) & 15
        length = self.length + 1
        lost = values.round_start - float(length)
        chance = 1.0
        colours = self.colours
        if blind:
            chance = safe_chance(face, colours)
        elif face == SHADE or (face < COLOURS and (colours >> face) & 1):
            return lost
        elif face < COLOURS:
            colours |= bit(face)
        if length == RAINBOW:
            return chance * (RAINBOW - values.round_start) + (1.0 - chance) * lost
        if self.played == HAND_SIZE - 1:
            value = values.handover[self.handover_index(length, self.known_to_opponent + (0 if blind else 1))]
            return chance * value + (1.0 - chance) * lost
        at = 4 * self.length
        up = self.up | (UNSEEN if blind else face) << at
        under = self.under | (face if blind else UNSEEN) << at
        mask: i64 = 15
        hand = self.hand | mask << (4 * slot)
        flips = self.safe_flips(up, under, length, colours)
        index = self._turn_index(self.played + 1, False, length, self.safe_plays(hand, colours), flips)
        return chance * values.turn[index] + (1.0 - chance) * lost


def best_move(position: RainbowPosition, values: ValueTable) -> i64:
    """Return the move of the highest value."""
    table = KnownTable(position)
    moves: i64 = position.legal_moves()
    best: i64 = END
    highest = LOWEST
    move: i64 = 0
    while moves:
        if moves & 1:
            value = table.move_value(move, values)
            if value > highest:
                highest = value
                best = move
        moves >>= 1
        move += 1
    return best
