"""Measurement of speed."""

import time
from collections.abc import Callable


def rate(work: Callable[[], int], seconds: float) -> float:
    """Repeat work, which returns the number of units done; return units per second."""
    work()
    done, start = 0, time.perf_counter()
    while True:
        done += work()
        spent = time.perf_counter() - start
        if spent >= seconds:
            return done / spent
