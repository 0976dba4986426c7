"""The clock of a server: it follows the store, and neither goes back nor jumps when a machine's clock is set."""

import time
from pathlib import Path
from uuid import uuid4

import pytest

from sevenhues.server.live import store_clock
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.live.store_clock import MAX_STEP_SECONDS, StoreClock
from sevenhues.server.settings import Settings
from sevenhues.server.store.postgres import PostgresStore
from sevenhues.server.table import commands
from sevenhues.server.table.events import ClockSettings
from tests.server.live_tables import PAIR, RAINBOW
from tests.server.services import Postgres

pytestmark = pytest.mark.anyio
SKEW_SECONDS = 20
TOLERANCE_MS = 5000  # far more than a measurement is wrong by, and far less than the skew


class Machine:
    """The clocks of a machine and of a store, which a test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time, self.monotonic = 5000.0, 70.0
        self.store_ms: int | None = None
        self.round_trips = [0.0, 0.0, 0.0]
        monkeypatch.setattr(time, "time", lambda: self.time)
        monkeypatch.setattr(time, "monotonic", lambda: self.monotonic)

    async def now_ms(self) -> int | None:
        seconds = self.round_trips.pop(0) if self.round_trips else 0.0
        self.monotonic += seconds
        return self.store_ms


def test_setting_the_system_clock_does_not_affect_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = StoreClock()
    assert clock() == 5_000_000
    for step in (3600, -7200):
        machine.time += step
        assert clock() == 5_000_000
    machine.monotonic += 2.5
    assert clock() == 5_002_500


async def test_clock_takes_the_measurement_with_the_shortest_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = StoreClock()
    machine.round_trips = [8.0, 0.5, 4.0]
    assert len(machine.round_trips) == store_clock.MEASUREMENTS
    machine.store_ms = 9_000_000
    await clock.synchronize(machine)
    # The store's time is that of the middle of the second round trip, 4.25 s ago.
    assert clock() == 9_004_250


async def test_running_clock_is_corrected_in_small_steps_and_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = StoreClock()
    machine.store_ms = 9_000_000
    await clock.synchronize(machine)
    assert clock() == 9_000_000
    machine.store_ms = 8_000_000
    await clock.synchronize(machine)
    assert clock() == 9_000_000
    machine.monotonic += 1
    assert clock() == 9_001_000 - MAX_STEP_SECONDS * 1000


async def test_store_without_a_clock_of_its_own_leaves_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    clock = StoreClock()
    await clock.synchronize(machine)
    assert clock() == 5_000_000


@pytest.mark.slow
async def test_machine_with_a_skewed_clock_does_not_shorten_the_clocks_of_players(
    data: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, machine_time = postgres.database(f"c{uuid4().hex}"), time.time
    with monkeypatch.context() as skewed:
        skewed.setattr(time, "time", lambda: machine_time() + SKEW_SECONDS)
        late = LiveTables(Settings(data), PostgresStore(address))
    right = LiveTables(Settings(data), PostgresStore(address))
    for process in (late, right):
        await process.open()
    before, skewed_ms, after = right.now(), late.now(), right.now()
    assert before - TOLERANCE_MS < skewed_ms < after + TOLERANCE_MS
    # A game that one process starts has nearly all of its time left for the other.
    spec = PAIR._replace(clock=ClockSettings("bank", 30))
    live_table = await right.create(RAINBOW, spec, "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    started_ms = live_table.table.updated_at
    clocks = (await late.get(live_table.id)).table.clocks
    assert clocks is not None
    assert clocks.expires_at() == started_ms + 30_000
    print(f"the clocks of two servers differ by {abs(late.now() - right.now())} ms, of machines by {SKEW_SECONDS} s")
    assert late.now() - right.now() < TOLERANCE_MS
    for process in (late, right):
        await process.close()
