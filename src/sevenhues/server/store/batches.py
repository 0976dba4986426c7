"""Calls to a database that are carried out together, in one round trip."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

MAX_CALLS = 100  # in a batch
MAX_RUNNING = 2  # batches at a time
Call = TypeVar("Call")
Answer = TypeVar("Answer")


class Batches(Generic[Call, Answer]):
    """Calls that are made while earlier ones are under way wait for those, and are then carried out together."""

    def __init__(self, run: Callable[[list[Call]], Awaitable[list[Answer]]]) -> None:
        self._run = run  # returns an answer for every call
        self._waiting: list[tuple[Call, asyncio.Future[Answer]]] = []
        self._running: set[asyncio.Task[None]] = set()
        self._scheduled = False

    async def call(self, call: Call) -> Answer:
        """Carry out a call together with others; an error of its batch is raised to all of them."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._waiting.append((call, answer))
        if not self._scheduled and len(self._running) < MAX_RUNNING:
            self._scheduled = True
            loop.call_soon(self._start)  # with the other calls of this turn of the event loop
        return await answer

    def _start(self) -> None:
        self._scheduled = False
        while self._waiting and len(self._running) < MAX_RUNNING:
            batch, self._waiting = self._waiting[:MAX_CALLS], self._waiting[MAX_CALLS:]
            task = asyncio.create_task(self._carry_out(batch))
            self._running.add(task)
            task.add_done_callback(self._finish)

    def _finish(self, task: "asyncio.Task[None]") -> None:
        self._running.discard(task)
        self._start()

    async def _carry_out(self, batch: list[tuple[Call, "asyncio.Future[Answer]"]]) -> None:
        try:
            answers = await self._run([call for call, _ in batch])
        except Exception as error:
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
        else:
            for (_, future), answer in zip(batch, answers, strict=True):
                if not future.done():
                    future.set_result(answer)
