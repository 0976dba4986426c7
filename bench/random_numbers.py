"""Random numbers at almost no cost, so that a loop measures the games and not the generator."""

import random
from collections.abc import Callable
from itertools import cycle

Draw = Callable[[], int]
MAX_NUMBER = 1 << 30
CYCLE_LENGTH = 65_537  # a prime


def number_source() -> Draw:
    """Return a function that returns random integers, the same in every program."""
    rng = random.Random(1)
    return cycle([rng.randrange(MAX_NUMBER) for _ in range(CYCLE_LENGTH)]).__next__
