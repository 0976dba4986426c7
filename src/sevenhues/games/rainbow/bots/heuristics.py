"""Heuristics of Rainbow for searches, and its four levels."""

from math import exp, sqrt
from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.bits import bit
from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow.belief import fitting_deck
from sevenhues.games.rainbow.bots.policy import KnownTable, best_move
from sevenhues.games.rainbow.bots.value_table import FITTED_VALUES
from sevenhues.games.rainbow.pieces import CARDS, FACE_COUNT, HAND_SIZE, NO_CARD, card_in, face_of, row_entry
from sevenhues.games.rainbow.rules import TURN_ENDED, RainbowPosition

LEAD_SPREAD: Final = 2.0  # standard deviation of the final lead, divided by the root of the cards to come
WEIGHT_SCALE: Final = 0.8  # the logarithm of a move's weight, per card


class RainbowHeuristics(Heuristics[RainbowPosition]):
    """Plays the round out by the policy, and evaluates the lead by the number of cards to come."""

    def policy(self, position: RainbowPosition, seat: int, rng: Rng) -> int:
        return best_move(position, FITTED_VALUES)

    def playout(self, position: RainbowPosition, rng: Rng) -> list[float]:
        number = position.round
        if position.last_end <= TURN_ENDED:
            while not position.over and position.round == number:
                position.play(position.turn, best_move(position, FITTED_VALUES))
        return self.values(position)

    def values(self, position: RainbowPosition) -> list[float]:
        lead = float(bits.count(position.pile_0) - bits.count(position.pile_1))
        if position.over:
            chance = 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)
        else:
            lead += FITTED_VALUES.round_start if position.turn == 0 else -FITTED_VALUES.round_start
            left = float(CARDS - bits.count(position.pile_0 | position.pile_1))
            chance = 1.0 / (1.0 + exp(-1.7 * lead / (LEAD_SPREAD * sqrt(left))))
        return [chance, 1.0 - chance]

    def weights(self, position: RainbowPosition, seat: int, moves: list[int]) -> list[float]:
        table = KnownTable(position)
        return [exp(WEIGHT_SCALE * table.move_value(move, FITTED_VALUES)) for move in moves]

    def observation_key(self, position: RainbowPosition, seat: int) -> int:
        """RB-13 Everybody sees the face that came up."""
        row = position.row if position.last_end <= TURN_ENDED else position.last_row
        entry = row_entry(row, position.last_place)
        return face_of(position.deck, entry >> 1, entry & 1) + 1


class LimitedMemory(RainbowHeuristics):
    """Remembers only a share of the seen faces that are hidden now, and guesses the others.

    A face is remembered or forgotten for the whole game: that depends only on the face and the seat's first hand.
    """

    def __init__(self, row_percent: int, pile_percent: int) -> None:
        self.row_percent: i64 = row_percent  # of the seen faces that are hidden in row and hands
        self.pile_percent: i64 = pile_percent  # of those in the piles

    def resample(self, position: RainbowPosition, seat: int, rng: Rng) -> Position:
        copy = position.copy()
        known_0 = position.known(seat, 0)
        known_1 = position.known(seat, 1)
        visible_0 = visible_faces(position, seat, 0)
        visible_1 = visible_faces(position, seat, 1)
        remembered_0 = visible_0 | self._remembered(position, seat, known_0 & ~visible_0, 0)
        remembered_1 = visible_1 | self._remembered(position, seat, known_1 & ~visible_1, 1)
        copy.deck = fitting_deck(position.deck, remembered_0, remembered_1, rng)
        return copy

    def _remembered(self, position: RainbowPosition, seat: i64, faces: i64, side: i64) -> i64:
        """Return the cards of `faces`, as bits, whose face toward `side` the seat remembers."""
        salt: i64 = seat
        for place in range(HAND_SIZE):
            salt = salt * FACE_COUNT + face_of(position.deck, CARDS - 1 - place if seat else place, seat)
        won = position.pile_0 | position.pile_1
        remembered: i64 = 0
        for card in range(CARDS):
            if (faces >> card) & 1:
                percent = self.pile_percent if (won >> card) & 1 else self.row_percent
                if Rng((salt * CARDS + card) * 2 + side).below(100) < percent:
                    remembered |= bit(card)
        return remembered


def visible_faces(position: RainbowPosition, seat: i64, side: i64) -> i64:
    """Return the cards whose face toward `side` a seat can see now, as bits."""
    cards: i64 = 0
    for place in range(position.row_length):
        entry = row_entry(position.row, place)
        if entry & 1 == side:
            cards |= bit(entry >> 1)
    if seat == side:
        for other in range(2):
            for slot in range(HAND_SIZE):
                card = card_in(position.hands, other, slot)
                if card != NO_CARD:
                    cards |= bit(card)
        if position.deck_count() > 0:
            cards |= bit(position.back if seat else position.front)
    return cards


def levels() -> list[Level]:
    """Return the four levels, the weakest first."""
    forgets_most, forgets_some, forgets_piles = LimitedMemory(20, 0), LimitedMemory(70, 0), LimitedMemory(95, 0)
    return [
        Level("seedling", "Plays what looks good now and soon forgets what it saw.", "policy", forgets_most),
        Level("player", "Knows the odds and remembers most of what is hidden.", "policy", forgets_some),
        Level("expert", "Thinks the round through, but does not count the piles.", "flat", forgets_piles, 60),
        Level(
            "master", "Learned from billions of moves against itself and forgets nothing.", "net", RainbowHeuristics()
        ),
    ]


def benchmark_levels() -> list[Level]:
    """Return the best level that searches without a network."""
    return [
        Level("searcher", "Thinks a round through with everything it has ever seen.", "flat", RainbowHeuristics(), 1000)
    ]
