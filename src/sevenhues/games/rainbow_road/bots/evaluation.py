"""What the start of a round is worth: the chance to win, in points first.

The lead counts, and beside it who starts, the pranks and the cards still in hand, and on whose half the Sunny Fairy
stands. The figures are a logistic fit to who won some thousands of games of masters against each other.
"""

from math import exp
from typing import Final

from mypy_extensions import i64

from sevenhues.games.rainbow_road.pieces import HALF, NUMBERS, ROUNDS, count_of

SETS: Final = 64  # of pranks

RATE: Final[list[float]] = [9.0, 1.16, 1.0, 0.76, 0.64, 0.56, 0.49, 0.42, 0.38]  # of a point, by rounds to come
START: Final = -0.75  # to start the round
PRANK: Final[list[float]] = [1.65, 1.6, 1.85, 1.35, 1.1, 1.0]  # exchange, jump, skip, trash, teleport, recycle
WANE: Final[list[float]] = [0.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]  # how much of that is left, by rounds to come
CARD: Final[list[float]] = [0.0, 0.95, 0.4, 0.1, 0.0, 0.15, 0.3, 1.0]  # by number: the middle is weak
HIGHEST: Final = 0.7  # to hold a higher card than all of the other's
LOWEST: Final = 0.85  # or a lower one
HOME: Final = 0.2  # the Sunny Fairy on one's own half


class Worth:
    """What somebody thinks a moment is worth; not everybody sees the worth of what they hold."""

    def __init__(self, saves_cards: bool = True, saves_pranks: bool = True) -> None:
        self.saves_cards = saves_cards
        self.held: list[float] = []  # by rounds to come and set of pranks
        for left in range(ROUNDS + 1):
            for pranks in range(SETS):
                each = [PRANK[prank] for prank in range(len(PRANK)) if (pranks >> prank) & 1]
                self.held.append(sum(each) * WANE[left] if saves_pranks else 0.0)

    def pranks(self, pranks: i64, left: i64) -> float:
        """Return what a set of pranks is worth with so many rounds to come."""
        return self.held[SETS * left + pranks]

    def holding(self, hand_0: i64, hand_1: i64, held_0: i64, held_1: i64, left: i64) -> float:
        """Return what seat 0 holds, in points, above what seat 1 does."""
        total = self.held[SETS * left + held_0] - self.held[SETS * left + held_1]
        if not self.saves_cards or left == 0:
            return total
        high_0: i64 = 0
        high_1: i64 = 0
        low_0: i64 = 0
        low_1: i64 = 0
        number: i64 = 1
        while number <= NUMBERS:
            mine = count_of(hand_0, number)
            its = count_of(hand_1, number)
            if mine:
                high_0 = number
                if low_0 == 0:
                    low_0 = number
            if its:
                high_1 = number
                if low_1 == 0:
                    low_1 = number
            total += float(mine - its) * CARD[number]
            number += 1
        if high_0 != high_1:
            total += HIGHEST if high_0 > high_1 else -HIGHEST
        if low_0 != low_1:
            total += LOWEST if low_0 < low_1 else -LOWEST
        return total

    def standing(self, starter: i64, sunny: i64) -> float:
        """Return what it is worth to seat 0 who starts, and where the Sunny Fairy stands."""
        home = HOME if sunny < HALF else -HOME
        return home - START if starter else home + START


def chance(points: float, left: i64) -> float:
    """Return the chance to win with so many points more than the other one and so many rounds to come."""
    return 1.0 / (1.0 + exp(-RATE[left] * points))
