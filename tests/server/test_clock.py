"""Clocks: a limit per move, a bank with increment, flags, bots that take over, and restarts."""

from pathlib import Path
from typing import Any

import pytest

from sevenhues.client import Client
from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.server.table import commands, events
from sevenhues.server.table.clock import Clocks
from sevenhues.server.table.commands import TableSpec
from sevenhues.server.table.events import ClockSettings, Entry
from sevenhues.server.table.state import Table, restore
from tests.server.live_tables import PAIR, RAINBOW, FakeClock, open_live_tables
from tests.server.play import start_game, wait_until
from tests.server.process import ServerProcess

BEGIN = 1_000_000


def started_table(clock: ClockSettings, bot_takeover: bool = False, bot: bool = False) -> Table:
    """Return a table of Rainbow that began at BEGIN, with seat 0 to act."""
    game = registry.load("rainbow")
    seed = next(seed for seed in range(100) if deal(game, str(seed).encode()).to_act() == [0])
    setup = game.setup(deal(game, str(seed).encode()))
    log: list[events.Event] = [
        events.Created("rainbow", {}, 2, "a", False, clock, bot_takeover, False, "00" * 32),
        events.SeatTaken(0, "a", "Ada"),
        events.SeatTaken(1, None, None, "random") if bot else events.SeatTaken(1, "b", "Ben"),
        events.Started(setup, BEGIN),
    ]
    return restore("t", [Entry(BEGIN, event) for event in log])


def play(table: Table, seat: int, text: str, at: int) -> None:
    decision = commands.move(table, f"{'ab'[seat]}", seat, table.ply, text, None, at)
    assert decision is not None
    table.apply(Entry(at, decision.event), decision)


def test_bank_runs_down_and_is_incremented_when_the_turn_passes() -> None:
    table = started_table(ClockSettings("bank", 60, 5))
    assert table.clocks is not None
    assert table.clocks.read(BEGIN + 1000).left_ms == [59_000, 60_000]
    play(table, 0, "S1", BEGIN + 10_000)
    # The turn has not passed yet, so there is no increment.
    assert table.clocks.read(BEGIN + 10_000).left_ms == [50_000, 60_000]
    play(table, 0, "E", BEGIN + 12_000)
    assert table.clocks.read(BEGIN + 12_000).left_ms == [53_000, 60_000]
    assert table.clocks.read(BEGIN + 13_000).left_ms == [53_000, 59_000]
    assert table.clocks.read(BEGIN + 13_000).running == 1


def test_limit_per_move_restarts_with_every_decision() -> None:
    table = started_table(ClockSettings("move", 30))
    assert table.clocks is not None
    play(table, 0, "S1", BEGIN + 29_000)
    assert table.clocks.read(BEGIN + 29_000).left_ms[0] == 30_000
    assert table.clocks.expires_at() == BEGIN + 59_000


def test_game_ends_exactly_when_time_is_up() -> None:
    table = started_table(ClockSettings("move", 30))
    assert commands.next_deadline(table) == BEGIN + 30_000
    assert commands.check_time(table, BEGIN + 29_999) is None
    decision = commands.check_time(table, BEGIN + 30_000)
    assert decision is not None
    assert decision.event == events.TimedOut(0)
    table.apply(Entry(BEGIN + 30_000, decision.event))
    assert table.result is not None
    assert (table.result.reason, table.result.winners, table.result.seat) == ("timeout", [1], 0)
    assert commands.check_time(table, BEGIN + 90_000) is None


def test_bot_takes_over_when_time_is_up_at_a_table_with_bot_takeover() -> None:
    table = started_table(ClockSettings("move", 30), bot_takeover=True)
    decision = commands.check_time(table, BEGIN + 30_000)
    assert decision is not None
    assert decision.event == events.BotTookOver(0, "player")
    table.apply(Entry(BEGIN + 30_000, decision.event))
    assert table.status == "playing"
    assert table.seats[0].acting_user_id is None
    assert commands.next_deadline(table) is None, "a bot's clock does not run"


@pytest.mark.parametrize("kind", ["move", "bank"])
def test_clock_keeps_running_when_a_bot_takes_over_another_seat(kind: Any) -> None:
    table = started_table(ClockSettings(kind, 30, 5))
    table.apply(Entry(BEGIN + 20_000, events.BotTookOver(1, "player")))
    assert table.clocks is not None
    assert table.clocks.running == 0
    assert table.clocks.read(BEGIN + 20_000).left_ms == [10_000, 30_000]
    assert table.clocks.expires_at() == BEGIN + 30_000
    table.apply(Entry(BEGIN + 21_000, events.BotTookOver(0, "player")))
    assert table.clocks.running is None


def test_clock_of_a_bot_does_not_run() -> None:
    table = started_table(ClockSettings("bank", 60), bot=True)
    play(table, 0, "S1", BEGIN + 1000)
    play(table, 0, "E", BEGIN + 2000)
    assert table.to_act() == [1]
    assert table.clocks is not None
    assert table.clocks.running is None
    assert commands.next_deadline(table) is None


def test_equal_logs_give_equal_clocks() -> None:
    first, second = started_table(ClockSettings("bank", 60, 2)), started_table(ClockSettings("bank", 60, 2))
    for table in (first, second):
        play(table, 0, "S1", BEGIN + 1234)
    assert first.clocks is not None
    assert second.clocks is not None
    assert first.clocks.read(BEGIN + 5000) == second.clocks.read(BEGIN + 5000)


def test_clock_does_not_go_below_zero() -> None:
    clocks = Clocks(ClockSettings("bank", 1), 2, 0)
    clocks.switch(0, 0)
    assert clocks.read(5000).left_ms == [0, 1000]
    clocks.switch(1, 5000)
    assert clocks.left_ms == [0, 1000]


def clocked(kind: Any, seconds: int) -> TableSpec:
    return PAIR._replace(clock=ClockSettings(kind, seconds))


@pytest.mark.anyio
async def test_timeout_needs_no_command_and_a_move_in_time_postpones_it(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    live_table = await live_tables.create(RAINBOW, clocked("move", 1), "ada", "Ada")
    await live_table.act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    seat = live_table.table.to_act()[0]
    clock.now_ms += 900
    await live_table.act(lambda table, now_ms: commands.move(table, "ada", seat, 0, "S1", None, now_ms))
    clock.now_ms += 900
    assert await live_table.act(commands.check_time) is None
    clock.now_ms += 100
    await wait_until(lambda: live_table.table.result is not None)
    assert live_table.table.result is not None
    assert (live_table.table.result.reason, live_table.table.result.winners) == ("timeout", [1 - seat])
    await live_tables.close()


@pytest.mark.anyio
async def test_clock_and_timeout_are_sent_to_players(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "me"], clock={"kind": "move", "seconds": 1})
        async with ada.live(table.id) as live:
            await start_game(live)
            assert live.update is not None
            assert live.update.clock is not None
            seat = live.update.turn[0]
            await wait_until(lambda: live.table is not None and live.table.result is not None)
            assert live.table is not None
            assert live.table.result is not None
            assert (live.table.result.reason, live.table.result.winners) == ("timeout", [1 - seat])


@pytest.mark.anyio
async def test_bank_runs_while_the_server_is_down(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    id = (await live_tables.create(RAINBOW, clocked("bank", 600), "ada", "Ada")).table.id
    await (await live_tables.get(id)).act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    await live_tables.close()
    clock.now_ms += 10_000
    live_tables = await open_live_tables(data, clock)
    table = (await live_tables.get(id)).table
    assert table.clocks is not None
    seat = table.to_act()[0]
    assert table.clocks.running == seat
    assert table.clocks.read(clock()).left_ms[seat] == 590_000
    await live_tables.close()


@pytest.mark.anyio
async def test_player_whose_time_ran_out_while_the_server_was_down_gets_time_to_move(data: Path) -> None:
    clock = FakeClock()
    live_tables = await open_live_tables(data, clock)
    id = (await live_tables.create(RAINBOW, clocked("bank", 1), "ada", "Ada")).table.id
    await (await live_tables.get(id)).act(lambda table, now_ms: commands.add_entropy(table, "ada", "x" * 20))
    await live_tables.close()
    clock.now_ms += 10_000
    live_tables = await open_live_tables(data, clock)
    live_table = await live_tables.get(id)
    assert await live_table.act(commands.check_time) is None
    assert live_table.table.status == "playing"
    clock.now_ms += 1000
    await wait_until(lambda: live_table.table.result is not None)
    assert live_table.table.result is not None
    assert live_table.table.result.reason == "timeout"
    await live_tables.close()
