"""Processes beside this one, in which bots think: they leave stopping to their parent, and do not outlive it."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

CONTEXT = multiprocessing.get_context("spawn")


def processes(number: int, prepare: Callable[..., None] | None = None, *given: Any) -> ProcessPoolExecutor:
    """Return so many processes, each of which calls `prepare` first."""
    return ProcessPoolExecutor(number, mp_context=CONTEXT, initializer=_begin, initargs=(os.getpid(), prepare, *given))


def _begin(parent: int, prepare: Callable[..., None] | None, *given: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    if prepare is not None:
        prepare(*given)
