"""Worker processes. They ignore Ctrl-C, which their parent handles, and end when their parent does."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

CONTEXT = multiprocessing.get_context("spawn")


def worker_pool(count: int, prepare: Callable[..., None] | None = None, *arguments: Any) -> ProcessPoolExecutor:
    """Return a pool of worker processes; each calls `prepare` with the arguments first."""
    return ProcessPoolExecutor(
        count, mp_context=CONTEXT, initializer=_initialize, initargs=(os.getpid(), prepare, *arguments)
    )


def _initialize(parent: int, prepare: Callable[..., None] | None, *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def exit_with_parent() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=exit_with_parent, daemon=True).start()
    if prepare is not None:
        prepare(*arguments)
