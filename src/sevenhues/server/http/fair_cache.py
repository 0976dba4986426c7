"""A cache of answers that take long to compute. Finished games do not change, so their answers can be kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from sevenhues.server.fair_queue import FairQueue

Key = TypeVar("Key")
Answer = TypeVar("Answer")


class FairCache(Generic[Key, Answer]):
    """Computes answers in a thread and keeps the latest. Addresses take turns in the queue, which caches may share."""

    def __init__(self, queue: FairQueue, max_cached: int) -> None:
        self._queue = queue
        self._max_cached = max_cached
        self._answers: OrderedDict[Key, Answer] = OrderedDict()

    async def get(self, key: Key, address: str, compute: Callable[[], Answer]) -> Answer:
        """Return the answer for a key; compute it when it is the address's turn, unless it is known."""
        if key not in self._answers:
            async with self._queue.turn(address):
                if key not in self._answers:  # another request has computed it meanwhile
                    self._answers[key] = await asyncio.to_thread(compute)
        answer = self._answers[key]
        self._answers.move_to_end(key)
        if len(self._answers) > self._max_cached:
            self._answers.popitem(last=False)
        return answer
