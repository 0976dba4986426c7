"""Calls to a database that are carried out together."""

import asyncio

import pytest

from sevenhues.server.store.batches import MAX_CALLS, MAX_RUNNING, Batches
from tests.server.play import wait_until

pytestmark = pytest.mark.anyio


class Squares:
    """Squares numbers, batch by batch, when it is allowed to."""

    def __init__(self) -> None:
        self.begun: list[list[int]] = []
        self.allowed = asyncio.Event()
        self.batches = Batches(self._square)

    async def _square(self, numbers: list[int]) -> list[int]:
        self.begun.append(numbers)
        await self.allowed.wait()
        if 13 in numbers:
            raise ValueError(13)
        return [number * number for number in numbers]


async def test_calls_that_wait_for_others_are_carried_out_together() -> None:
    squares = Squares()
    calls = []
    for number in range(MAX_RUNNING):
        calls.append(asyncio.create_task(squares.batches.call(number)))
        await wait_until(lambda number=number: len(squares.begun) == number + 1)
    later = range(20, 20 + MAX_CALLS + 1)
    calls += [asyncio.create_task(squares.batches.call(number)) for number in later]
    await asyncio.sleep(0)  # all calls are waiting
    assert squares.begun == [[number] for number in range(MAX_RUNNING)]
    squares.allowed.set()
    assert await asyncio.gather(*calls) == [number * number for number in [*range(MAX_RUNNING), *later]]
    assert squares.begun[MAX_RUNNING:] == [[*later[:MAX_CALLS]], [later[MAX_CALLS]]]


async def test_error_is_raised_to_the_calls_of_its_batch_alone() -> None:
    squares = Squares()
    first = asyncio.create_task(squares.batches.call(2))
    await wait_until(lambda: len(squares.begun) == 1)
    unlucky = [asyncio.create_task(squares.batches.call(number)) for number in (12, 13)]
    await wait_until(lambda: len(squares.begun) == 2)
    squares.allowed.set()
    answers = await asyncio.gather(first, *unlucky, return_exceptions=True)
    assert answers[0] == 4
    assert [repr(answer) for answer in answers[1:]] == ["ValueError(13)"] * 2


async def test_call_that_is_cancelled_does_not_affect_others() -> None:
    squares = Squares()
    calls = [asyncio.create_task(squares.batches.call(number)) for number in (3, 4)]
    await wait_until(lambda: len(squares.begun) == 1)
    calls[0].cancel()
    squares.allowed.set()
    assert await calls[1] == 16
    assert (await asyncio.gather(calls[0], return_exceptions=True))[0].__class__ is asyncio.CancelledError
