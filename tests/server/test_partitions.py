"""Three servers over one PostgreSQL and one Redis, with links that fail and clocks that are wrong.

The long test lets links between all of them fail at random, and checks the history of every table.
`SEVENHUES_TEST_PARTITION_SECONDS=20 pytest -m long -s tests/server/test_partitions.py` is a short one.
"""

import asyncio
import gc
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar
from uuid import uuid4

import pytest

from sevenhues import protocol
from sevenhues.client import Client, Live, Refused
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.table import events
from tests.server.fork_server import ForkedServer, ForkServer
from tests.server.linearizability import Answer, Attempt, Observation, StoredMove, check
from tests.server.links import Faults, Link
from tests.server.services import Postgres, Redis

T = TypeVar("T")
pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SEED = int(os.environ.get("SEVENHUES_TEST_SEED", "1"))
SECONDS = float(os.environ.get("SEVENHUES_TEST_PARTITION_SECONDS", "600"))
SKEWS_SECONDS = (0, 40, -3000)  # of the clocks of the servers
MAX_SKEW_LEFT_MS = 2000  # of the times in a log; far less than the clocks are wrong by
TABLES = ("rainbow", "rainbow", "flip-and-slide", "rainbow-road")
MAX_FAULT_SECONDS = 12.0  # longer than the timeout of a statement
ANSWER_SECONDS = 4.0  # that a client waits for an answer
REFUSALS: dict[str, Answer] = {"stale": "stale", "over": "refused", "store-failed": "unknown"}  # no others are expected
SETTLE_SECONDS = 120.0  # in which all clients see the last move when the links work again; reached on failure only


class Device(Live):
    """A connection to a table that notes what it sends and is told."""

    def __init__(self, client: Client, table: str, name: str) -> None:
        super().__init__(client, table)
        self.attempts: list[Attempt] = []
        self.observations: list[Observation] = []
        self.store_failures = 0
        self._name = name

    async def try_move(self, rng: random.Random) -> None:
        """Make a random move if it is this user's turn, and note the answer."""
        update = self.update
        view = next((view for view in update.views if view.legal), None) if update is not None else None
        if update is None or view is None:
            return
        text, id, sent = rng.choice(view.legal), uuid4().hex, time.monotonic()
        answer: Answer = "unknown"
        ply = None
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                ply = (await self._request(protocol.Move(id, view.seat, update.ply, text))).ply
                answer = "accepted"
        except TimeoutError:
            pass
        except Refused as error:
            answer = REFUSALS[error.key]
            self.store_failures += error.key == "store-failed"
        now = time.monotonic()
        self.attempts.append(Attempt(self._name, id, view.seat, text, update.ply, sent, now, answer, ply))

    def _handle(self, message: protocol.FromServer) -> None:
        if isinstance(message, protocol.Update):
            moves = message.history if message.history is not None else [message.move] if message.move else []
            shown = tuple((move.seat, move.text) for move in moves)
            self.observations.append(Observation(self._name, time.monotonic(), message.ply, shown))
        super()._handle(message)


class Cluster(NamedTuple):
    """Servers with links to their store and bus, a link to each server, and one to all of them in turn."""

    database: str
    store_links: list[Link]
    bus_links: list[Link]
    client_links: list[Link]
    balancer: Link

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.balancer.port}"

    async def log(self, table: str) -> list[events.Entry]:
        """Read the log of a table from the database itself."""
        store = PostgresStore(self.database)
        await store.open()
        try:
            return await store.log(table)
        finally:
            await store.close()


@asynccontextmanager
async def running_cluster(
    data: Path, postgres: Postgres, redis: Redis, skews: tuple[int, ...]
) -> AsyncIterator[Cluster]:
    database = f"p{uuid4().hex}"
    address = postgres.database(database)
    async with AsyncExitStack() as stack:
        forks = stack.enter_context(ForkServer())
        store_links = [await stack.enter_async_context(Link([postgres.port], SEED)) for _ in skews]
        bus_links = [await stack.enter_async_context(Link([redis.port], SEED)) for _ in skews]
        servers = []
        for number, skew in enumerate(skews):
            options = [
                "--database-url",
                f"postgresql://hues@127.0.0.1:{store_links[number].port}/{database}",
                "--redis-url",
                f"redis://127.0.0.1:{bus_links[number].port}",
                "--key-file",
                str(data / "signing.keys"),
            ]
            server = stack.enter_context(ForkedServer(forks, data / str(number), *options))
            assert await asyncio.to_thread(server.start, CLOCK_SKEW_SECONDS=str(skew))
            servers.append(server)
        client_links = [await stack.enter_async_context(Link([server.port], SEED)) for server in servers]
        balancer = await stack.enter_async_context(Link([link.port for link in client_links], SEED))
        yield Cluster(address, store_links, bus_links, client_links, balancer)


class Play:
    """Games of two users with two devices each, which compete for every move."""

    def __init__(self, cluster: Cluster) -> None:
        self.histories = 0
        self.answers: Counter[str] = Counter()
        self.stored = 0
        self.shown = 0
        self.store_failures = 0
        self._cluster = cluster
        self._over = asyncio.Event()

    def stop(self) -> None:
        """Begin no more games and make no more moves."""
        self._over.set()

    async def run(self, game: str, rng: random.Random) -> None:
        """Play games one after the other, and check each."""
        while not self._over.is_set():
            await self._play_game(game, rng)

    async def _play_game(self, game: str, rng: random.Random) -> None:
        began_ms = time.time() * 1000
        url = self._cluster.url
        async with AsyncExitStack() as stack:
            users = [await _user(stack, url, name) for name in ("Ada", "Ben")]
            clock = {"kind": "bank", "seconds": 36000}
            table = await _retried(lambda: users[0].create_table(game, ["me", "open"], clock=clock))
            await _retried(lambda: _join(users[1], table.id))
            devices = []
            for number in range(4):
                device = Device(users[number % 2], table.id, str(number))
                devices.append(await stack.enter_async_context(device))
            await asyncio.gather(*(self._use(device, random.Random(rng.random())) for device in devices))
            log = await self._settled(devices)
        moves = [entry.event for entry in log if isinstance(entry.event, events.MovePlayed)]
        attempts = [attempt for device in devices for attempt in device.attempts]
        observations = [observation for device in devices for observation in device.observations]
        check([StoredMove(move.seat, move.text, move.request_id) for move in moves], attempts, observations)
        times = [began_ms - MAX_SKEW_LEFT_MS, *[entry.at_ms for entry in log], time.time() * 1000 + MAX_SKEW_LEFT_MS]
        assert times == sorted(times), "the times of events are those of the database"
        self.histories += 1
        self.answers += Counter(attempt.answer for attempt in attempts)
        self.stored += len(moves)
        self.shown += len(observations)
        self.store_failures += sum(device.store_failures for device in devices)

    async def _use(self, device: Device, rng: random.Random) -> None:
        """Make moves until the game is over or stopped."""
        while not self._over.is_set() and (device.update is None or device.update.result is None):
            if device.update is None:
                try:
                    async with asyncio.timeout(ANSWER_SECONDS):
                        await device.ready()
                except (Refused, TimeoutError):
                    pass  # tried again
            else:
                await device.try_move(rng)
            await asyncio.sleep(rng.uniform(0, 0.1))

    async def _settled(self, devices: list[Device]) -> list[events.Entry]:
        """Wait until every device shows the last stored move; return the log of the table."""
        async with asyncio.timeout(SETTLE_SECONDS):
            while True:
                log = await self._cluster.log(devices[0].id)
                plies = sum(isinstance(entry.event, events.MovePlayed) for entry in log)
                if all((device.update.ply if device.update is not None else 0) == plies for device in devices):
                    return log
                await asyncio.sleep(0.5)


async def _user(stack: AsyncExitStack, url: str, name: str) -> Client:
    while True:
        try:
            return await stack.enter_async_context(Client(url, name))
        except SevenHuesError:
            await asyncio.sleep(0.1)


async def _join(user: Client, table: str) -> None:
    if not (await user.table(table)).your_seats:
        await user.join(table)


async def _retried(request: Callable[[], Awaitable[T]]) -> T:
    """Repeat a request until the server and its store can carry it out."""
    while True:
        try:
            return await request()
        except Refused as error:
            if error.key not in ("store-failed", "seated-already"):
                raise
        except SevenHuesError:
            pass
        await asyncio.sleep(0.1)


# A connection attempt that is cancelled leaves its socket to the garbage collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.long
async def test_histories_are_linearizable_while_links_fail_and_clocks_are_wrong(
    data: Path, postgres: Postgres, redis: Redis
) -> None:
    async with running_cluster(data, postgres, redis, SKEWS_SECONDS) as cluster:
        play = Play(cluster)
        links = [*cluster.store_links, *cluster.bus_links, *cluster.client_links]
        faults = Faults(links, SEED, MAX_FAULT_SECONDS)
        failing = asyncio.create_task(faults.run())
        rng = random.Random(SEED)
        playing = [asyncio.create_task(play.run(game, random.Random(rng.random()))) for game in TABLES]
        await asyncio.wait([failing, *playing], timeout=SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for task in (failing, *playing):
            if task.done():
                task.result()  # raises what has failed
        failing.cancel()
        await asyncio.wait([failing])
        play.stop()
        await asyncio.gather(*playing)
    gc.collect()
    print(f"{play.stored} moves stored in {play.histories} histories, {play.shown} positions shown")
    print(f"answers: {dict(play.answers)}; {play.store_failures} because the store failed")
    print(f"faults of links: {faults.counts}")
    assert play.stored > 0
