"""Holidays: clocks of games over days stand still, in every process alike, for a bounded number of days a year."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sevenhues.client import Client
from sevenhues.server.accounts import vacations
from sevenhues.server.accounts.vacations import DAY_MS, MAX_DAYS, YEAR_MS
from sevenhues.server.live.live_table import LiveTable
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import commands, events
from sevenhues.server.table.clock import Clocks
from sevenhues.server.table.events import ClockSettings, Entry
from sevenhues.server.table.state import Table, restore
from tests.server.live_tables import PAIR, RAINBOW, FakeClock, open_live_tables
from tests.server.play import start_game, wait_until
from tests.server.process import ServerProcess, two_processes
from tests.server.services import Postgres, Redis
from tests.server.test_clock import BEGIN, play, started_table

DAY_CLOCK = ClockSettings("move", 86_400)
HOUR_MS = 3_600_000


def take(table: Table, user_id: str, started: int, until: int) -> events.Event | None:
    """Take holidays at a table, if it lets; return the event."""
    decision = commands.take_vacation(table, started, user_id, started, until)
    if decision is not None:
        table.apply(Entry(started, decision.event), decision)
    return decision.event if decision is not None else None


def test_clock_stands_still_during_holidays() -> None:
    table = started_table(DAY_CLOCK)
    assert table.clocks is not None
    away, back = BEGIN + HOUR_MS, BEGIN + HOUR_MS + 5 * DAY_MS
    assert take(table, "a", away, back) == events.VacationTaken("a", away, back)
    for now, left in ((away, 23), (away + DAY_MS, 23), (back, 23), (back + HOUR_MS, 22)):
        assert table.clocks.read(now).left_ms[0] == left * HOUR_MS
    assert table.clocks.read(away + 1).paused_until == back
    assert table.clocks.read(back).paused_until is None
    assert commands.next_deadline(table) == back + 23 * HOUR_MS
    assert commands.check_time(table, back) is None
    decision = commands.check_time(table, back + 23 * HOUR_MS)
    assert decision is not None
    assert decision.event == events.TimedOut(0)


def test_holidays_of_the_opponent_do_not_stop_a_clock() -> None:
    table = started_table(DAY_CLOCK)
    assert table.clocks is not None
    assert take(table, "b", BEGIN, BEGIN + DAY_MS) is not None
    assert table.clocks.read(BEGIN + HOUR_MS).left_ms[0] == 23 * HOUR_MS
    assert table.clocks.read(BEGIN + HOUR_MS).paused_until is None
    play(table, 0, "S1", BEGIN + HOUR_MS)
    play(table, 0, "E", BEGIN + HOUR_MS)
    assert table.clocks.running == 1
    assert table.clocks.expires_at() == BEGIN + 2 * DAY_MS


def test_coming_back_early_ends_the_pause_and_holidays_add_up() -> None:
    table = started_table(ClockSettings("bank", 3 * 86_400))
    assert table.clocks is not None
    take(table, "a", BEGIN + HOUR_MS, BEGIN + HOUR_MS + 10 * DAY_MS)
    take(table, "a", BEGIN + HOUR_MS, BEGIN + DAY_MS)  # back after 23 hours
    take(table, "a", BEGIN + 2 * DAY_MS, BEGIN + 4 * DAY_MS)
    assert table.away_until("a") == BEGIN + 4 * DAY_MS
    assert table.clocks.read(BEGIN + 4 * DAY_MS).left_ms[0] == 3 * DAY_MS - HOUR_MS - DAY_MS
    assert table.clocks.expires_at() == BEGIN + 4 * DAY_MS + 2 * DAY_MS - HOUR_MS
    play(table, 0, "S1", BEGIN + 5 * DAY_MS)
    assert table.clocks.left_ms[0] == DAY_MS - HOUR_MS


def test_holidays_begin_too_late_once_the_clock_has_run_out() -> None:
    table = started_table(DAY_CLOCK)
    assert take(table, "a", BEGIN + DAY_MS, BEGIN + 2 * DAY_MS) is None
    assert take(table, "a", BEGIN + DAY_MS - 1, BEGIN + 2 * DAY_MS) is not None
    assert take(table, "a", BEGIN + DAY_MS - 1, BEGIN + 2 * DAY_MS) is None, "it is in the log already"


@pytest.mark.parametrize("settings", [ClockSettings("none", 86_400), ClockSettings("move", 86_399)])
def test_games_that_are_not_over_days_have_no_holidays(settings: ClockSettings) -> None:
    table = started_table(settings)
    assert take(table, "a", BEGIN, BEGIN + DAY_MS) is None


def test_holidays_that_ended_before_the_game_are_ignored() -> None:
    table = started_table(DAY_CLOCK)
    assert commands.take_vacation(table, BEGIN, "a", BEGIN - DAY_MS, BEGIN) is None


def test_clock_of_a_seat_never_goes_up() -> None:
    clocks = Clocks(DAY_CLOCK, 2, 0)
    clocks.switch(0, 0)
    clocks.pause(0, HOUR_MS, DAY_MS)
    read = [clocks.read(now).left_ms[0] for now in range(0, 3 * DAY_MS, HOUR_MS)]
    assert read == sorted(read, reverse=True)
    assert read[-1] == 0
    assert len(set(read)) == 25


def test_game_is_not_abandoned_while_a_player_is_on_holiday_or_has_just_come_back() -> None:
    table = started_table(DAY_CLOCK)
    take(table, "a", BEGIN, BEGIN + 30 * DAY_MS)
    assert commands.abandon_inactive(table, BEGIN + 59 * DAY_MS, 30 * DAY_MS) is None
    assert commands.abandon_inactive(table, BEGIN + 60 * DAY_MS, 30 * DAY_MS) is not None


async def day_game(live_tables: LiveTables) -> LiveTable:
    live_table = await live_tables.create(RAINBOW, PAIR._replace(clock=DAY_CLOCK), "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    return live_table


@pytest.mark.anyio
async def test_holidays_stop_the_games_of_a_user_and_survive_a_restart(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    live_table = await day_game(live_tables)
    clock.now_ms += HOUR_MS
    assert await live_tables.store.write(vacations.begin("ada", 2, clock.now_ms))
    await live_tables.renew_vacations("ada")
    back = clock.now_ms + 2 * DAY_MS
    assert live_table.table.away_until("ada") == back
    assert [seat.away_until for seat in live_table.info(None).seats] == [back, back]
    await live_tables.close()
    clock.now_ms = back - 1
    live_tables = await open_live_tables(data, clock)
    table = (await live_tables.get(live_table.id)).table
    assert table.clocks is not None
    assert max(table.clocks.left_ms) == DAY_MS, "no time was granted"
    assert commands.next_deadline(table) == back + 23 * HOUR_MS
    stored = restore(table.id, await live_tables.store.log(table.id))
    assert stored.clocks is not None
    assert stored.clocks.read(back) == table.clocks.read(back)
    # Back early: the game goes on at once.
    await live_tables.store.write(vacations.end("ada", clock.now_ms))
    await live_tables.renew_vacations("ada")
    assert commands.next_deadline(table) == clock.now_ms + 23 * HOUR_MS
    await live_tables.close()


@pytest.mark.anyio
async def test_holidays_that_a_killed_server_did_not_tell_its_games_stop_them_too(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    live_table = await day_game(live_tables)
    await live_tables.store.write(vacations.begin("ada", 2, clock.now_ms))
    # The process was killed here. Another one watches the clock, or loads the game later.
    clock.now_ms += DAY_MS + HOUR_MS
    await live_table._check_time()
    assert live_table.table.result is None
    id, deadline = live_table.id, commands.next_deadline(live_table.table)
    await live_tables.close()
    live_tables = await open_live_tables(data, clock)
    assert commands.next_deadline((await live_tables.get(id)).table) == deadline
    await live_tables.close()


@pytest.mark.anyio
async def test_game_that_starts_during_holidays_stands_still(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    await live_tables.store.write(vacations.begin("ada", 1, clock.now_ms))
    clock.now_ms += HOUR_MS
    live_table = await day_game(live_tables)
    await wait_until(lambda: live_table.table.away_until("ada") == clock.now_ms + 23 * HOUR_MS)
    assert commands.next_deadline(live_table.table) == clock.now_ms + DAY_MS + 23 * HOUR_MS
    await live_tables.close()


@pytest.mark.anyio
async def test_days_of_a_year_are_bounded(data: Path) -> None:
    store = SqliteStore(data / "s.db")
    await store.open()
    now = YEAR_MS

    async def left() -> int:
        return vacations.days_left(await store.read(vacations.vacations_of("ada")), now)

    assert not await store.write(vacations.begin("ada", MAX_DAYS + 1, now))
    assert await store.write(vacations.begin("ada", 20, now))
    assert not await store.write(vacations.begin("ada", 1, now + 1)), "they are on already"
    now += 2 * DAY_MS + 1
    await store.write(vacations.end("ada", now))
    assert await left() == MAX_DAYS - 3, "the days that have begun are counted"
    assert await store.write(vacations.begin("ada", 27, now))
    now += 27 * DAY_MS
    assert await left() == 0
    assert not await store.write(vacations.begin("ada", 1, now))
    now += YEAR_MS
    assert await left() == MAX_DAYS
    await store.close()


async def vacation(client: Client, days: int) -> httpx.Response:
    return await client._http.post("/api/me/vacation", json={"days": days})


@pytest.mark.anyio
async def test_holidays_over_the_api(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        assert (await ada._http.get("/api/me/vacation")).json() == {"until": None, "days_left": MAX_DAYS}
        for days in (0, 31, 1.5, "x", None):
            assert (await ada._http.post("/api/me/vacation", json={"days": days})).status_code == 400
        table = await ada.create_table("rainbow", ["me", "open"], clock={"kind": "move", "seconds": 86_400})
        await ben.join(table.id)
        async with ada.live(table.id) as own, ben.live(table.id) as live:
            await start_game(own, live)
            # Of several requests at once, one begins the holidays.
            answers = await asyncio.gather(*[vacation(ada, 3) for _ in range(4)])
            assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
            assert {answer.json()["key"] for answer in answers if answer.status_code == 409} == {"on-vacation"}
            began = next(answer.json() for answer in answers if answer.status_code == 201)
            assert began["days_left"] == MAX_DAYS - 3
            assert live.update is not None
            clocks_until = began["until"] if live.update.turn == [0] else None
            await wait_until(lambda: live.table is not None and live.table.seats[0].away_until == began["until"])
            await wait_until(
                lambda: live.update and live.update.clock and live.update.clock.paused_until == clocks_until
            )
            ended = (await ada._http.delete("/api/me/vacation")).json()
            assert ended == {"until": None, "days_left": MAX_DAYS - 1}
            await wait_until(lambda: live.update and live.update.clock and live.update.clock.paused_until is None)
            assert (await vacation(ada, 30)).json()["key"] == "too-few-days"
            await ada.delete()
            assert (await ada._http.get("/api/me/vacation")).status_code == 401


@pytest.fixture
def servers(tmp_path: Path, postgres: Postgres, redis: Redis) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    store = ("--database-url", postgres.database("vacations"), "--redis-url", redis.address)
    with two_processes(tmp_path, *store, "--no-limits") as servers:
        yield servers


@pytest.mark.anyio
@pytest.mark.slow
async def test_two_processes_show_the_same_clock(servers: tuple[ServerProcess, ServerProcess]) -> None:
    one, two = servers
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"], clock={"kind": "move", "seconds": 86_400})
        await ben.join(table.id)
        async with ada.live(table.id) as own, ben.live(table.id) as live:
            await start_game(own, live)
            assert live.update is not None
            mover = (ada, ben)[live.update.turn[0]]
            until = (await vacation(mover, 2)).json()["until"]
            for seen in (own, live):
                await wait_until(lambda seen=seen: seen.update.clock.paused_until == until)
            assert own.update is not None
            assert own.update.clock is not None
            assert live.update.clock is not None
            assert own.update.clock.left == pytest.approx(live.update.clock.left, abs=1000)
