"""Static evaluation of Rainbow Road at the start of a round: an estimate in points, and the chance to win.

The terms are the lead, the starting seat, the pranks and cards in hand, and the half on which the Sunny Fairy stands.
Their weights are a logistic fit to the winners of some thousands of games between bots of the level master.
"""

from math import exp
from typing import Final

from mypy_extensions import i64

from sevenhues.games.rainbow_road.pieces import HALF, NUMBERS, ROUNDS, count_of

PRANK_SETS: Final = 64

# The log-odds of winning per point, by rounds to come. The other weights are in points.
LOG_ODDS_PER_POINT: Final[list[float]] = [9.0, 1.16, 1.0, 0.76, 0.64, 0.56, 0.49, 0.42, 0.38]
STARTING: Final = -0.75  # the seat starts the round
PRANK_VALUES: Final[list[float]] = [1.65, 1.6, 1.85, 1.35, 1.1, 1.0]  # exchange, jump, skip, trash, teleport, recycle
PRANK_FACTORS: Final[list[float]] = [0.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]  # of those, by rounds to come
CARD_VALUES: Final[list[float]] = [0.0, 0.95, 0.4, 0.1, 0.0, 0.15, 0.3, 1.0]  # by number: the middle is weak
HIGHEST_CARD: Final = 0.7  # the seat's highest card is higher than the opponent's
LOWEST_CARD: Final = 0.85  # the seat's lowest card is lower than the opponent's
SUNNY_AT_HOME: Final = 0.2  # the Sunny Fairy stands on the seat's half


class Evaluation:
    """Evaluates a position in points. Weaker levels ignore the value of cards and pranks in hand."""

    def __init__(self, values_cards: bool = True, values_pranks: bool = True) -> None:
        self.values_cards = values_cards
        self.prank_sets: list[float] = []  # values by rounds to come and set of pranks
        for left in range(ROUNDS + 1):
            for pranks in range(PRANK_SETS):
                each = [PRANK_VALUES[prank] for prank in range(len(PRANK_VALUES)) if (pranks >> prank) & 1]
                self.prank_sets.append(sum(each) * PRANK_FACTORS[left] if values_pranks else 0.0)

    def pranks(self, pranks: i64, left: i64) -> float:
        """Return the value of a set of pranks with `left` rounds to come."""
        return self.prank_sets[PRANK_SETS * left + pranks]

    def holding(self, hand_0: i64, hand_1: i64, held_0: i64, held_1: i64, left: i64) -> float:
        """Return the value of seat 0's cards and pranks less that of seat 1's."""
        total = self.prank_sets[PRANK_SETS * left + held_0] - self.prank_sets[PRANK_SETS * left + held_1]
        if not self.values_cards or left == 0:
            return total
        high_0: i64 = 0
        high_1: i64 = 0
        low_0: i64 = 0
        low_1: i64 = 0
        number: i64 = 1
        while number <= NUMBERS:
            count_0 = count_of(hand_0, number)
            count_1 = count_of(hand_1, number)
            if count_0:
                high_0 = number
                if low_0 == 0:
                    low_0 = number
            if count_1:
                high_1 = number
                if low_1 == 0:
                    low_1 = number
            total += float(count_0 - count_1) * CARD_VALUES[number]
            number += 1
        if high_0 != high_1:
            total += HIGHEST_CARD if high_0 > high_1 else -HIGHEST_CARD
        if low_0 != low_1:
            total += LOWEST_CARD if low_0 < low_1 else -LOWEST_CARD
        return total

    def standing(self, starter: i64, sunny: i64) -> float:
        """Return the value for seat 0 of the starting seat and the Sunny Fairy's spot."""
        home = SUNNY_AT_HOME if sunny < HALF else -SUNNY_AT_HOME
        return home - STARTING if starter else home + STARTING


def chance(points: float, left: i64) -> float:
    """Return the chance to win with a lead of `points` and `left` rounds to come."""
    return 1.0 / (1.0 + exp(-LOG_ODDS_PER_POINT[left] * points))
