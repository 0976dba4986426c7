"""Measurement of speed, in CPU time of this process, so that load on the machine distorts it less.

Waiting for a processor is not counted. Threads of the process are, but no program here uses more than one.
"""

import time
from collections.abc import Callable

clock = time.process_time


def rate(work: Callable[[], int], seconds: float) -> float:
    """Repeat work, which returns the number of units done; return units per second of CPU time."""
    work()
    done, start = 0, clock()
    while True:
        done += work()
        spent = clock() - start
        if spent >= seconds:
            return done / spent
