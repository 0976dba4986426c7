"""Fair queues: owners take turns, background jobs come last, and a cancelled job takes no slot."""

import asyncio

import pytest

from sevenhues.server.fair_queue import FairQueue

pytestmark = pytest.mark.anyio


class Jobs:
    """Jobs in a queue with one slot, which is taken until `run_all`; it notes the order in which they run."""

    def __init__(self) -> None:
        self.queue = FairQueue(1)
        self.ran: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self._released = asyncio.Event()

    async def add(self, owner: str, count: int, background: bool = False) -> None:
        for _ in range(count):
            self.tasks.append(asyncio.create_task(self._run(owner, background)))
            await asyncio.sleep(0)

    async def run_all(self) -> str:
        self._released.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return "".join(self.ran)

    async def _run(self, owner: str, background: bool) -> None:
        async with self.queue.turn(owner, background):
            await self._released.wait()
            self.ran.append(owner)


async def test_owners_take_turns() -> None:
    jobs = Jobs()
    await jobs.add("a", 5)
    await jobs.add("b", 2)
    await jobs.add("c", 1)
    assert await jobs.run_all() == "a" + "abc" + "ab" + "aa"


async def test_background_jobs_come_last_and_take_turns_too() -> None:
    jobs = Jobs()
    await jobs.add("x", 4, background=True)
    await jobs.add("y", 1, background=True)
    await jobs.add("a", 2)
    assert await jobs.run_all() == "x" + "aa" + "xy" + "xx"


async def test_cancelled_job_takes_no_slot() -> None:
    jobs = Jobs()
    await jobs.add("a", 3)
    jobs.tasks[1].cancel()
    await asyncio.sleep(0)
    assert jobs.queue.jobs_of("a") == 2
    assert await jobs.run_all() == "aa"
    await jobs.add("a", 1)
    assert await jobs.run_all() == "aaa"
    assert jobs.queue.jobs_of("a") == 0


async def test_job_cancelled_at_the_moment_of_its_turn_passes_it_on() -> None:
    jobs = Jobs()
    await jobs.add("a", 1)
    await jobs.add("b", 2)
    jobs.tasks[0].cancel()  # its slot goes to the first job of b ...
    await asyncio.sleep(0)
    jobs.tasks[1].cancel()  # ... which is cancelled before it runs
    assert await jobs.run_all() == "b"


async def test_share_of_an_owner_does_not_depend_on_the_number_of_jobs_of_others() -> None:
    jobs = Jobs()
    assert jobs.queue.share("a") == 1
    await jobs.add("b", 10)
    await jobs.add("x", 10, background=True)
    assert jobs.queue.share("a") == 1 / 2
    assert jobs.queue.share("b") == 1 / 11
    assert jobs.queue.share("a", background=True) == 1 / 21
    await jobs.run_all()
