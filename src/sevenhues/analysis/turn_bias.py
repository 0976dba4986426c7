"""Corrects the bias of a search toward the player to move.

A search plays on with a simpler policy than its own, so it overestimates the chance of the seat that it decides for,
and chances would jump at every change of turn. The bias is estimated from the game itself, in log-odds: it is the
value at which a change of turn changes no chance on average. Chances of 0 and 1 stay as they are, and the order of
two moves does not change.
"""

from math import exp, log
from typing import Final, NamedTuple

from sevenhues.analysis.evaluator import Evaluation

MAX_BIAS: Final = 1.5  # log-odds
MIN_TURN_CHANGES: Final = 8  # with fewer, the bias is not estimated
BISECTION_STEPS: Final = 40


class TurnChange(NamedTuple):
    """A change of turn: the evaluation of the seat that moved, and that of the next seat."""

    seat: int
    made: Evaluation
    following: Evaluation


def correct(value: float, bias: float) -> float:
    """Remove a bias from a chance."""
    if not 0.0 < value < 1.0:
        return value
    return 1.0 / (1.0 + exp(bias - log(value / (1.0 - value))))


def seat_chances(evaluation: Evaluation, value: float, bias: float) -> list[float]:
    """Return the corrected chances of all seats, if the deciding seat's chance is `value`."""
    own = correct(value, bias)
    return [own if seat == evaluation.seat else (1.0 - own) * share for seat, share in enumerate(evaluation.shares)]


def estimate(changes: list[TurnChange]) -> float:
    """Estimate the bias by bisection; 0 if there are too few changes of turn."""
    if len(changes) < MIN_TURN_CHANGES:
        return 0.0
    low, high = -MAX_BIAS, MAX_BIAS
    for _ in range(BISECTION_STEPS):
        middle = (low + high) / 2
        if _total_change(changes, middle) < 0.0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _total_change(changes: list[TurnChange], bias: float) -> float:
    """Sum the changes of the moving seats' chances at changes of turn. The sum increases with the bias."""
    total = 0.0
    for change in changes:
        before = correct(change.made.made_value, bias)
        total += seat_chances(change.following, change.following.best_value, bias)[change.seat] - before
    return total
