"""Hundreds of crashes under load, many of them placed in system calls, and power cuts: no acknowledged move is lost.

`SEVENHUES_TEST_KILLS=1000 pytest -m long tests/server/test_crashes.py -s` sets how often each long test kills the
server, and prints where it died. `SEVENHUES_TEST_SEED=2` chooses other moments.
"""

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import pytest

from sevenhues import client as client_module
from sevenhues.client import Client, Live, Refused
from sevenhues.core.errors import SevenHuesError
from sevenhues.server.store import backup
from sevenhues.server.store.sqlite import open_database
from tests.server.fork_server import ForkedServer, ForkServer
from tests.server.play import Moves, play_on, wait_until
from tests.server.power_cut import Disk
from tests.server.services import Postgres
from tests.server.test_migrations import load_dump, sqlite_content

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SEED = int(os.environ.get("SEVENHUES_TEST_SEED", "1"))
KILLS = int(os.environ.get("SEVENHUES_TEST_KILLS", "40"))
PAIRS = 3  # of players, who play one game after the other
CHECKPOINT_PAGES = "12"  # a checkpoint after every few moves
PLACED_SECONDS = 3.0  # after which a server that has not reached its crash point is killed anyway
# Where a server dies: the operation, the moment, the highest number of the call, and the file.
SQLITE_POINTS = {
    "before a commit is on disk": ("sync", "before", 12, "-wal"),
    "between append and telling": ("sync", "after", 12, "-wal"),
    "in a checkpoint, writing pages": ("write", "after", 8, "sevenhues.db"),
    "in a checkpoint, before its pages are on disk": ("sync", "before", 2, "sevenhues.db"),
    "in a checkpoint, when its pages are on disk": ("sync", "after", 2, "sevenhues.db"),
    "writing to the log": ("write", "before", 20, "-wal"),
    "telling": ("send", "before", 60, "socket"),
}
POSTGRES_POINTS = {
    "before a query or an answer is sent": ("send", "before", 90, "socket"),
    "after a query or an answer is sent": ("send", "after", 90, "socket"),
}
Point = tuple[str, str, int, str]
T = TypeVar("T")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that kills a server at a system call, and logs its writes."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler for tests/server/crash_points.c")
    built = tmp_path_factory.mktemp("library") / "crash_points.so"
    source = Path(__file__).with_name("crash_points.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(built), str(source), "-ldl"], check=True)
    return built


@pytest.fixture(scope="module")
def forks(library: Path) -> Iterator[ForkServer]:
    with ForkServer(library) as running:
        yield running


@pytest.fixture(autouse=True)
def impatient_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "RETRY_SECONDS", (0.02,))


class Load:
    """Pairs of players who play one game after the other, and check each when it is over."""

    def __init__(self) -> None:
        self.acknowledged = 0
        self.games = 0
        self._stopping = asyncio.Event()

    async def run(self, url: str, pair: int) -> None:
        rng = random.Random(pair)
        game = "flip-and-slide" if pair == 0 else "rainbow"
        stopping = asyncio.create_task(self._stopping.wait())
        async with Client(url, "Ada") as ada, Client(url, "Ben") as ben:
            while not stopping.done():
                table = await _retried(lambda: ada.create_table(game, ["me", "open"]))
                await _retried(partial(_join, ben, table.id))
                async with ada.live(table.id) as first, ben.live(table.id) as second:
                    players = [asyncio.create_task(self._play(live, rng.random())) for live in (first, second)]
                    await asyncio.wait([*players, stopping], return_when=asyncio.FIRST_COMPLETED)
                    if stopping.done():
                        await wait_until(lambda live=first: live.update is not None)
                        with suppress(Refused):  # if the game is over
                            await first.resign(0)
                    moves = [await player for player in players]
                async with ada.live(table.id) as again:
                    check_history(again, moves[0] + moves[1])
                self.games += 1

    async def _play(self, live: Live, seed: float) -> Moves:
        moves: Moves = []
        rng = random.Random(seed)
        while live.update is None or live.update.result is None:
            moves += await play_on(live, rng, 1)
            self.acknowledged += 1
        return moves

    def stop(self) -> None:
        """End the games in progress, and begin no others."""
        self._stopping.set()


def check_history(live: Live, acknowledged: Moves) -> None:
    """Check that the moves of a game are those that were acknowledged, each once."""
    assert live.update is not None
    history = live.update.history or []
    assert sorted(acknowledged) == [(ply + 1, move.seat, move.text) for ply, move in enumerate(history)]


async def _join(ben: Client, table: str) -> None:
    if not (await ben.table(table)).your_seats:
        await ben.join(table)


async def _retried(request: Callable[[], Awaitable[T]]) -> T:
    """Repeat a request until the server is there to answer it."""
    while True:
        try:
            return await request()
        except Refused:
            raise
        except SevenHuesError:
            await asyncio.sleep(0.02)


class Crashes:
    """Lets a server die again and again, at random moments and at crash points, and counts where it died."""

    def __init__(self, server: ForkedServer, points: dict[str, Point], seed: int, database: Path | None = None) -> None:
        self.died: Counter[str] = Counter()
        self.lost_writes = 0
        self._server = server
        self._points = points
        self._rng = random.Random(seed)
        self._database = database  # of SQLite, if the power is cut whenever the server dies
        self._log = server.data / "writes.log"

    async def run(self, kills: int, load: Load) -> None:
        """Kill a server under load so often, and start it again."""
        for _ in range(kills):
            disk = Disk(self._database) if self._database is not None else None
            self._log.unlink(missing_ok=True)
            await self._start_and_die(load)
            if disk is not None:
                self.lost_writes += disk.cut_power(self._log, self._rng)
        assert await asyncio.to_thread(self._server.start, CHECKPOINT_PAGES=CHECKPOINT_PAGES)

    async def _start_and_die(self, load: Load) -> None:
        rng = self._rng
        where = rng.choice(["at a random moment", *self._points])
        environment = {"CHECKPOINT_PAGES": CHECKPOINT_PAGES}
        if self._database is not None:
            environment["CRASH_LOG"] = str(self._log)
        if where in self._points:
            operation, moment, highest, path = self._points[where]
            environment["CRASH_AT"] = f"{operation} {moment} {rng.randint(1, highest)} {path}"
        ready = await asyncio.to_thread(self._server.start, **environment)
        wanted = load.acknowledged + rng.randint(1, 4)
        deadline = asyncio.get_running_loop().time() + PLACED_SECONDS
        while ready and not self._server.dead() and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.005)
            if where not in self._points and load.acknowledged >= wanted:
                await asyncio.sleep(rng.uniform(0, 0.03))
                break
        if not self._server.dead():
            where = "at a random moment"
        self.died[where] += 1
        await asyncio.to_thread(self._server.kill)


async def crash(
    server: ForkedServer, crashes: Crashes, kills: int, beside: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Play games while the server crashes, and check all of them."""
    load = Load()
    assert await asyncio.to_thread(server.start, CHECKPOINT_PAGES=CHECKPOINT_PAGES)
    playing = [asyncio.create_task(load.run(server.url, pair)) for pair in range(PAIRS)]
    await wait_until(lambda: load.acknowledged >= PAIRS or any(one.done() for one in playing))
    await asyncio.to_thread(server.kill)
    more = asyncio.create_task(_repeat(beside)) if beside is not None else None
    crashing = asyncio.create_task(crashes.run(kills, load))
    await asyncio.wait([*playing, crashing], return_when=asyncio.FIRST_COMPLETED)
    for task in (*playing, crashing):
        if task.done():
            task.result()  # raises what has failed
    assert crashing.done()
    load.stop()
    await asyncio.gather(*playing)
    if more is not None:
        more.cancel()
        await asyncio.wait([more])
        assert more.cancelled(), more.exception()
    errors = [line for line in server.logged().splitlines() if '"level": "error"' in line]
    assert errors == []
    print(f"{kills} kills, {load.acknowledged} moves acknowledged in {load.games} games")
    print(f"{crashes.lost_writes} writes lost by power cuts")
    for where, count in crashes.died.most_common():
        print(f"{count:5} {where}")


async def _repeat(action: Callable[[], Awaitable[None]]) -> None:
    while True:
        await action()
        await asyncio.sleep(0.1)


@pytest.mark.long
async def test_crashes_over_sqlite_lose_no_acknowledged_move(forks: ForkServer, data: Path, tmp_path: Path) -> None:
    database, copy = data / "sevenhues.db", tmp_path / "copy.db"

    async def back_up() -> None:
        copy.unlink(missing_ok=True)
        assert await asyncio.to_thread(backup.backup, database, copy) > 0
        open_database(copy).close()

    with ForkedServer(forks, data) as server:
        await crash(server, Crashes(server, SQLITE_POINTS, SEED), KILLS, back_up)


@pytest.mark.long
async def test_crashes_over_postgresql_lose_no_acknowledged_move(
    forks: ForkServer, data: Path, postgres: Postgres
) -> None:
    with ForkedServer(forks, data, "--database-url", postgres.database(f"k{uuid4().hex}")) as server:
        await crash(server, Crashes(server, POSTGRES_POINTS, SEED), KILLS)


@pytest.mark.long
async def test_power_cuts_lose_no_acknowledged_move(forks: ForkServer, data: Path) -> None:
    with ForkedServer(forks, data) as server:
        await crash(server, Crashes(server, SQLITE_POINTS, SEED, data / "sevenhues.db"), KILLS)


MIGRATE = """
import sys
from functools import partial
from pathlib import Path
from sevenhues.server.store.sqlite import open_database
open_database(Path(sys.argv[1])).close()
"""


@pytest.mark.long
def test_power_cut_in_a_migration_changes_nothing_or_all(library: Path, tmp_path: Path) -> None:
    rng, died = random.Random(SEED), 0
    expected, log = tmp_path / "expected.db", tmp_path / "log"
    load_dump(expected).close()
    open_database(expected).close()
    for kill in range(KILLS):
        database = tmp_path / f"{kill}-sevenhues.db"
        load_dump(database).close()
        disk = Disk(database)
        operation, path = rng.choice([("write", "-wal"), ("sync", "-wal"), ("write", "sevenhues.db")])
        at = f"{operation} {rng.choice(['before', 'after'])} {rng.randint(1, 40 if path == '-wal' else 10)} {path}"
        environment = {"CRASH_AT": at, "CRASH_LOG": str(log), "LD_PRELOAD": str(library)}
        command = [sys.executable, "-c", MIGRATE, str(database)]
        died += subprocess.run(command, env=os.environ | environment, check=False).returncode == -signal.SIGKILL
        disk.cut_power(log, rng)
        log.unlink(missing_ok=True)
        open_database(database).close()
        assert sqlite_content(database) == sqlite_content(expected), at
    print(f"{died} kills in migrations")
    assert died > KILLS / 4


WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.execute(f"PRAGMA synchronous = {sys.argv[2]}")
db.execute("PRAGMA wal_autocheckpoint = 6")
db.execute("CREATE TABLE moves (number)")
for number in range(1000):
    db.execute("INSERT INTO moves VALUES (?)", (number,))
    print(number, flush=True)
"""


@pytest.mark.parametrize(("synchronous", "lossless"), [("FULL", True), ("OFF", False)])
def test_power_cut_loses_what_was_not_synchronized_alone(
    library: Path, tmp_path: Path, synchronous: str, lossless: bool
) -> None:
    log, all_kept = tmp_path / "log", []
    for number in (9, 17, 30, 41):
        database = tmp_path / f"{number}-sevenhues.db"
        disk = Disk(database)
        environment = {"CRASH_AT": f"write before {number} -wal", "CRASH_LOG": str(log), "LD_PRELOAD": str(library)}
        command = [sys.executable, "-c", WRITER, str(database), synchronous]
        done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
        acknowledged = len(done.stdout.splitlines())
        assert done.returncode == -signal.SIGKILL, done.stderr
        disk.cut_power(log, random.Random(number))
        log.unlink()
        with closing(sqlite3.connect(database)) as db:
            try:
                kept = db.execute("SELECT count(*) FROM moves").fetchone()[0]
            except sqlite3.DatabaseError:
                kept = -1
        all_kept.append(kept >= acknowledged)
    assert all(all_kept) == lossless
