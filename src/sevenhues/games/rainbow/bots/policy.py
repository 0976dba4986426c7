"""How to play Rainbow fast and sensibly: a look at every move, with what the seat to act has seen.

A moment is worth the cards that the seat will win more than its opponent from here on, as learnt by self-play (see
learn.py): by row, cards played, cards that are safe to play and safe to turn over. What comes up from an unseen face
is weighed by how often that face is paired with the one that is seen.
"""

from typing import Final

from mypy_extensions import i64

from sevenhues.core.bits import bit
from sevenhues.games.rainbow.bots.value_table import LEFT, MOMENT, START
from sevenhues.games.rainbow.pieces import (
    BLIND,
    COLOURS,
    END,
    HAND,
    LIGHT,
    NO_CARD,
    RAINBOW,
    SHADE,
    STANDARD,
    UNSEEN,
    card_in,
    face_of,
    lying_at,
)
from sevenhues.games.rainbow.rules import RainbowPosition

NO_FACE: Final = 15
ROWS: Final = 6  # lengths of a row in which one may act
SAFE: Final = 4  # 0 to 3 cards
FLIPS: Final = 3  # 0, 1, several
MOMENTS: Final = HAND * 2 * ROWS * SAFE * FLIPS
SEEN: Final = 4  # 0 to 2, more
LEAVINGS: Final = ROWS * SEEN
NEVER: Final = -1000.0


class Lore:
    """What moments are worth, in cards."""

    def __init__(self, moment: list[float], left: list[float], start: float) -> None:
        self.moment = moment  # by Hand.index: the seat goes on with its turn
        self.left = left  # by row and turnings-over the opponent knows: the opponent is next
        self.start = start  # to begin a round


LEARNT: Final = Lore(MOMENT, LEFT, START)


def safe_chance(seen: i64, colours: i64) -> float:
    """Return the chance that the other face of a card does not lose, by the pack alone (RB-2)."""
    shown: i64 = 0
    for colour in range(COLOURS):
        if (colours >> colour) & 1 and colour != seen:
            shown += 1
    if seen < COLOURS:
        return float(13 - 2 * shown) / 14.0
    return float(8 - shown if seen == SHADE else 7 - shown) / 8.0


class Eyes:
    """What the seat to act knows of the table, as far as it matters for the next move."""

    def __init__(self, position: RainbowPosition) -> None:
        seat = position.turn
        deck = position.deck
        mine: i64 = position.known(seat, 0)
        mine_1: i64 = position.known(seat, 1)
        its: i64 = position.known(1 - seat, 0)
        its_1: i64 = position.known(1 - seat, 1)
        self.length: i64 = position.row_length
        self.played: i64 = position.played
        self.turned = position.turned
        self.colours: i64 = position.colours
        self.up: i64 = 0  # four bits a place
        self.under: i64 = 0
        self.hand: i64 = 0  # four bits a slot
        self.told: i64 = 0  # places whose lower face the opponent knows, and of which it may be a safe one
        place: i64 = 0
        while place < self.length:
            lying = lying_at(position.row, place)
            card = lying >> 1
            side = 1 - (lying & 1)
            up = face_of(deck, card, lying & 1)
            under: i64 = UNSEEN
            if ((mine_1 if side else mine) >> card) & 1:
                under = face_of(deck, card, side)
            self.up |= up << (4 * place)
            self.under |= under << (4 * place)
            if ((its_1 if side else its) >> card) & 1 and (under == UNSEEN or self._fits(under, up)):
                self.told += 1
            place += 1
        slot: i64 = 0
        while slot < HAND:
            card = card_in(position.hands, seat, slot)
            face: i64 = NO_FACE if card == NO_CARD else face_of(deck, card, seat)
            self.hand |= face << (4 * slot)
            slot += 1

    def _fits(self, face: i64, instead: i64) -> bool:
        """Tell whether a face may come up where another one lies now."""
        if face >= COLOURS:
            return face == LIGHT
        return not (self.colours >> face) & 1 or face == instead

    def safe_plays(self, hand: i64, colours: i64) -> i64:
        """Count the cards that can be played standard without losing."""
        found: i64 = 0
        slot: i64 = 0
        while slot < HAND:
            face = (hand >> (4 * slot)) & 15
            if face <= LIGHT and not (colours >> face) & 1:
                found += 1
            slot += 1
        return found

    def safe_flips(self, up: i64, under: i64, length: i64, colours: i64) -> i64:
        """Count the cards of the row that are known to be safe to turn over, to two."""
        found: i64 = 0
        place: i64 = 0
        while place < length:
            face = (under >> (4 * place)) & 15
            if face <= LIGHT and (not (colours >> face) & 1 or face == (up >> (4 * place)) & 15):
                found += 1
                if found == FLIPS - 1:
                    break
            place += 1
        return found

    def index(self) -> i64:
        """Number this moment."""
        flips = self.safe_flips(self.up, self.under, self.length, self.colours)
        return self._index(self.played, self.turned, self.length, self.safe_plays(self.hand, self.colours), flips)

    def _index(self, played: i64, turned: bool, length: i64, safe: i64, flips: i64) -> i64:
        phase: i64 = played * 2 + (1 if turned else 0)
        return ((phase * ROWS + length) * SAFE + safe) * FLIPS + flips

    def leaving(self, length: i64, told: i64) -> i64:
        """Number what is left to the opponent: a row, and what they know of it."""
        return length * SEEN + min(told, SEEN - 1)

    def worth(self, move: i64, lore: Lore) -> float:
        """Estimate what a move leads to, in cards."""
        if move == END:
            return lore.left[self.leaving(self.length, self.told)]
        if move < STANDARD:
            return self._flip(move, lore)
        if move < BLIND:
            return self._lay(move - STANDARD, False, lore)
        return self._lay(move - BLIND, True, lore)

    def _flip(self, place: i64, lore: Lore) -> float:
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
            return lore.start - float(self.length)
        elif under < COLOURS:
            colours |= bit(under)
        mask: i64 = 15
        row_up = (self.up & ~(mask << at)) | under << at
        row_under = (self.under & ~(mask << at)) | up << at
        flips = self.safe_flips(row_up, row_under, self.length, colours)
        index = self._index(self.played, True, self.length, self.safe_plays(self.hand, colours), flips)
        return chance * lore.moment[index] + (1.0 - chance) * (lore.start - float(self.length))

    def _lay(self, slot: i64, blind: bool, lore: Lore) -> float:
        face = (self.hand >> (4 * slot)) & 15
        length = self.length + 1
        lost = lore.start - float(length)
        chance = 1.0
        colours = self.colours
        if blind:
            chance = safe_chance(face, colours)
        elif face == SHADE or (face < COLOURS and (colours >> face) & 1):
            return lost
        elif face < COLOURS:
            colours |= bit(face)
        if length == RAINBOW:
            return chance * (RAINBOW - lore.start) + (1.0 - chance) * lost
        if self.played == HAND - 1:
            value = lore.left[self.leaving(length, self.told + (0 if blind else 1))]
            return chance * value + (1.0 - chance) * lost
        at = 4 * self.length
        up = self.up | (UNSEEN if blind else face) << at
        under = self.under | (face if blind else UNSEEN) << at
        mask: i64 = 15
        hand = self.hand | mask << (4 * slot)
        flips = self.safe_flips(up, under, length, colours)
        index = self._index(self.played + 1, False, length, self.safe_plays(hand, colours), flips)
        return chance * lore.moment[index] + (1.0 - chance) * lost


def best_move(position: RainbowPosition, lore: Lore) -> i64:
    """Return the move that promises most."""
    eyes = Eyes(position)
    moves: i64 = position.legal_moves()
    best: i64 = END
    most = NEVER
    move: i64 = 0
    while moves:
        if moves & 1:
            value = eyes.worth(move, lore)
            if value > most:
                most = value
                best = move
        moves >>= 1
        move += 1
    return best
