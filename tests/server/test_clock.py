"""Clocks: a limit a move, a bank with increment, flags, stand-ins, and restarts."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from sevenhues.client import Client
from sevenhues.core import registry
from sevenhues.core.play import deal
from sevenhues.server import events, judge
from sevenhues.server.clock import Clocks
from sevenhues.server.events import Entry
from sevenhues.server.protocol import Clock
from sevenhues.server.table import Table, restore
from tests.server.play import until
from tests.server.process import ServerProcess

BEGIN = 1_000_000


def rainbow(clock: Clock, takeover: bool = False, bot: bool = False) -> Table:
    """A table of Rainbow that began at BEGIN, with seat 0 to act."""
    game = registry.load("rainbow")
    seed = next(seed for seed in range(100) if deal(game, str(seed).encode()).to_act() == [0])
    setup = game.setup(deal(game, str(seed).encode()))
    log: list[events.Event] = [
        events.Created("rainbow", {}, 2, "a", False, clock, takeover, False, "00" * 32),
        events.Sat(0, "a", "Ada"),
        events.Sat(1, None, None, "random") if bot else events.Sat(1, "b", "Ben"),
        events.Started(setup, BEGIN),
    ]
    return restore("t", [Entry(BEGIN, event) for event in log])


def play(table: Table, seat: int, text: str, at: int) -> None:
    event = judge.move(table, f"{'ab'[seat]}", seat, table.ply, text, None, at)
    assert isinstance(event, events.Played)
    table.apply(Entry(at, event))


def test_a_bank_runs_down_and_grows_when_the_turn_passes() -> None:
    table = rainbow(Clock("bank", 60, 5))
    assert table.clocks is not None
    assert table.clocks.state(BEGIN + 1000).left == [59_000, 60_000]
    play(table, 0, "S1", BEGIN + 10_000)
    # The same seat goes on: no increment yet.
    assert table.clocks.state(BEGIN + 10_000).left == [50_000, 60_000]
    play(table, 0, "E", BEGIN + 12_000)
    assert table.clocks.state(BEGIN + 12_000).left == [53_000, 60_000]
    assert table.clocks.state(BEGIN + 13_000).left == [53_000, 59_000]
    assert table.clocks.state(BEGIN + 13_000).running == 1


def test_a_limit_a_move_begins_anew_with_every_decision() -> None:
    table = rainbow(Clock("move", 30))
    assert table.clocks is not None
    play(table, 0, "S1", BEGIN + 29_000)
    assert table.clocks.state(BEGIN + 29_000).left[0] == 30_000
    assert table.clocks.flag() == BEGIN + 59_000


def test_a_flag_ends_the_game_and_not_a_moment_before() -> None:
    table = rainbow(Clock("move", 30))
    assert judge.next_alarm(table) == BEGIN + 30_000
    assert judge.overdue(table, BEGIN + 29_999) is None
    flag = judge.overdue(table, BEGIN + 30_000)
    assert flag == events.TimedOut(0)
    table.apply(Entry(BEGIN + 30_000, flag))
    assert table.result is not None
    assert (table.result.reason, table.result.winners, table.result.seat) == ("timeout", [1], 0)
    assert judge.overdue(table, BEGIN + 90_000) is None


def test_a_bot_takes_over_where_the_table_says_so() -> None:
    table = rainbow(Clock("move", 30), takeover=True)
    taken = judge.overdue(table, BEGIN + 30_000)
    assert taken == events.TakenOver(0, "player")
    table.apply(Entry(BEGIN + 30_000, taken))
    assert table.status == "playing"
    assert table.seats[0].person is None
    assert judge.next_alarm(table) is None, "a bot's clock does not run"


@pytest.mark.parametrize("kind", ["move", "bank"])
def test_nobodys_clock_begins_anew_because_a_bot_takes_anothers_seat(kind: Any) -> None:
    table = rainbow(Clock(kind, 30, 5))
    table.apply(Entry(BEGIN + 20_000, events.TakenOver(1, "player")))
    assert table.clocks is not None
    assert table.clocks.running == 0
    assert table.clocks.state(BEGIN + 20_000).left == [10_000, 30_000]
    assert table.clocks.flag() == BEGIN + 30_000
    table.apply(Entry(BEGIN + 21_000, events.TakenOver(0, "player")))
    assert table.clocks.running is None


def test_a_bots_clock_never_runs() -> None:
    table = rainbow(Clock("bank", 60), bot=True)
    play(table, 0, "S1", BEGIN + 1000)
    play(table, 0, "E", BEGIN + 2000)
    assert table.turn() == [1]
    assert table.clocks is not None
    assert table.clocks.running is None
    assert judge.next_alarm(table) is None


def test_the_same_log_shows_the_same_clock() -> None:
    first, second = rainbow(Clock("bank", 60, 2)), rainbow(Clock("bank", 60, 2))
    for table in (first, second):
        play(table, 0, "S1", BEGIN + 1234)
    assert first.clocks is not None
    assert second.clocks is not None
    assert first.clocks.state(BEGIN + 5000) == second.clocks.state(BEGIN + 5000)


def test_a_clock_shows_nothing_below_nought() -> None:
    clocks = Clocks(Clock("bank", 1), 2, 0)
    clocks.turn(0, 0)
    assert clocks.state(5000).left == [0, 1000]
    clocks.turn(1, 5000)
    assert clocks.left == [0, 1000]


@pytest.mark.anyio
async def test_a_flag_falls_by_itself_and_a_move_in_time_saves(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.lay("rainbow", ["me", "me"], clock={"kind": "move", "seconds": 1})
        async with ada.live(table.id) as live:
            await live.ready()
            await until(lambda: live.update is not None)
            assert live.update is not None
            seat = live.update.turn[0]
            await asyncio.sleep(0.6)
            await live.move("S1", seat)
            await asyncio.sleep(0.6)
            assert live.table is not None
            assert live.table.status == "playing"
            await until(lambda: live.table is not None and live.table.result is not None, 5)
            assert live.table.result is not None
            assert (live.table.result.reason, live.table.result.winners) == ("timeout", [1 - seat])
            assert live.update.clock is not None


@pytest.mark.anyio
async def test_clocks_go_on_after_a_restart_and_nobody_loses_for_the_time_away(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            bank = await ada.lay("rainbow", ["me", "me"], clock={"kind": "bank", "seconds": 600})
            short = await ada.lay("rainbow", ["me", "me"], clock={"kind": "bank", "seconds": 2})
            for table in (bank, short):
                async with ada.live(table.id) as live:
                    await live.ready()
                    await until(lambda live=live: live.update is not None)
            server.kill()
            await asyncio.sleep(2.5)
            server.start()
            async with ada.live(bank.id) as live:
                await until(lambda: live.update is not None)
                assert live.update is not None
                assert live.update.clock is not None
                assert live.update.clock.running == live.update.turn[0]
                left = live.update.clock.left[live.update.turn[0]]
                assert 580_000 < left < 597_600, "it went on while the server was away"
            async with ada.live(short.id) as live:
                assert live.table is not None
                assert live.table.status == "playing", "two seconds had run out, but nobody could have moved"
                await until(lambda: live.table is not None and live.table.result is not None, 10)
                assert live.table.result is not None
                assert live.table.result.reason == "timeout"
