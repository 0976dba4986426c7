"""Evens out how much a search is for whoever is to act.

A search plays on with a simpler policy than its own, so it thinks a little too well of the seat that it decides for,
and the chance would jump at every change of turn. How much it is too fond of that seat is found from the game itself,
as odds: the tilt by which handing the turn over changes nothing on average. Sure things stay sure, and of two moves
the better one stays better.
"""

from math import exp, log
from typing import Final, NamedTuple

from sevenhues.analysis.evaluator import Verdict

MOST: Final = 1.5  # log-odds
ENOUGH: Final = 8  # changes of turn from which a mean says something
STEPS: Final = 40


class Handover(NamedTuple):
    """A change of turn: what who moved thought of the move made, and what who is next thinks of their own chance."""

    seat: int
    made: Verdict
    following: Verdict


def tilted(value: float, tilt: float) -> float:
    """Take a tilt off a chance."""
    if not 0.0 < value < 1.0:
        return value
    return 1.0 / (1.0 + exp(tilt - log(value / (1.0 - value))))


def spread(verdict: Verdict, value: float, tilt: float) -> list[float]:
    """Return everybody's chance where that of the deciding seat is a value, with the tilt taken off."""
    mine = tilted(value, tilt)
    return [mine if seat == verdict.seat else (1.0 - mine) * share for seat, share in enumerate(verdict.shares)]


def find(handovers: list[Handover]) -> float:
    """Find the tilt by which handing over changes nothing on average; 0 if the game has too few turns to tell."""
    if len(handovers) < ENOUGH:
        return 0.0
    low, high = -MOST, MOST
    for _ in range(STEPS):
        middle = (low + high) / 2
        if _change(handovers, middle) < 0.0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _change(handovers: list[Handover], tilt: float) -> float:
    """Add up what handing over changed for those who did; it grows with the tilt."""
    total = 0.0
    for one in handovers:
        after = tilted(one.made.mine, tilt)
        total += spread(one.following, one.following.most, tilt)[one.seat] - after
    return total
