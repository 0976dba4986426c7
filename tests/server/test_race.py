"""Games of all at once: the countdown, races, bots that react, tables where nobody goes on."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from sevenhues.client import Client, Refused
from sevenhues.core import record, registry
from sevenhues.core.game import Level, Pace, Position
from sevenhues.core.play import Played, deal
from sevenhues.core.rng import Rng
from sevenhues.games.nimble.bots import LEAST_FLIP, LEAST_PLACEMENT
from sevenhues.games.nimble.pieces import TURN_OVER
from sevenhues.server import botseat, events, judge
from sevenhues.server.declined import Declined
from sevenhues.server.events import Entry
from sevenhues.server.house import House, grant, steady_clock
from sevenhues.server.identity import Keys
from sevenhues.server.protocol import Clock, NewTable, SeatWish
from sevenhues.server.settings import Settings
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import Table, restore
from tests.server.play import play_on, until
from tests.server.process import ServerProcess

BEGIN = 1_000_000


def nimble() -> Table:
    game = registry.load("nimble")
    log: list[events.Event] = [
        events.Created("nimble", {}, 2, "a", False, Clock(), False, False, "00" * 32),
        events.Sat(0, "a", "Ada"),
        events.Sat(1, "b", "Ben"),
        events.Started(game.setup(deal(game, b"race", 2)), BEGIN),
    ]
    return restore("t", [Entry(BEGIN - 3000, event) for event in log])


def test_nb5_nobody_moves_before_the_signal() -> None:
    table = nimble()
    with pytest.raises(Declined) as declined:
        judge.move(table, "a", 0, 0, "f", None, BEGIN - 1)
    assert declined.value.key == "countdown"
    assert judge.move(table, "a", 0, 0, "f", None, BEGIN) == events.Played(0, "f")


def test_a_race_in_which_nobody_places_a_card_for_two_minutes_is_abandoned() -> None:
    table = nimble()
    assert judge.next_alarm(table) == BEGIN + judge.PATIENCE
    for i in range(60):
        at = BEGIN + 1000 * (i + 1)
        text = "f" if i % 2 == 0 else "b"
        table.apply(Entry(at, events.Played(0, text)))
    # Flipping and taking back is no progress.
    assert judge.overdue(table, BEGIN + judge.PATIENCE - 1) is None
    ended = judge.overdue(table, BEGIN + judge.PATIENCE)
    assert ended == events.Abandoned()
    table.apply(Entry(BEGIN + judge.PATIENCE, ended))
    assert table.result is not None
    assert (table.result.reason, table.result.winners) == ("abandoned", [])


def test_a_race_is_not_abandoned_because_the_server_was_away() -> None:
    table = nimble()
    assert grant(table, BEGIN + 60_000) is None
    back = BEGIN + judge.PATIENCE + 3_600_000
    given = grant(table, back)
    assert given is not None
    table.apply(Entry(back, given))
    assert judge.overdue(table, back + judge.PATIENCE - 1) is None
    assert judge.overdue(table, back + judge.PATIENCE) == events.Abandoned()


def test_times_of_a_record_count_from_the_signal() -> None:
    table = nimble()
    table.apply(Entry(BEGIN + 250, events.Played(1, "f")))
    assert table.record().moves[0] == (1, "f", 250)
    assert record.write(table.record()).count("1 f @250") == 1


@pytest.mark.anyio
async def test_nb11_the_later_of_two_placements_is_refused_and_the_stale_ply_is_not(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.lay("nimble", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await first.ready()
            await second.ready()
            await until(lambda: first.update is not None and second.update is not None)
            assert first.update is not None
            assert first.update.begins is not None, "a countdown runs"
            with pytest.raises(Refused) as refused:
                await first.move("f", 0)
            assert refused.value.key == "countdown"
            await asyncio.sleep((first.update.begins - first.update.now) / 1000 + 0.05)
            # Both flip at ply 0: neither is refused for what the other did.
            await asyncio.gather(first.move("f", 0, ply=0), second.move("f", 1, ply=0))
            lives = [first, second]
            for _ in range(400):
                views = [live.view() for live in lives]
                tops = [stack["top"]["circle"] for stack in views[0]["stacks"]]
                cards = [views[0]["players"][seat]["top"] for seat in (0, 1)]
                both = [i for i, circle in enumerate(tops) if all(card and card["frame"] == circle for card in cards)]
                if both:
                    break
                for seat, live in enumerate(lives):
                    await live.move("f" if "f" in live.eye().legal else "t", seat)
                await asyncio.sleep(0.01)
            place = f"p{both[0] + 1}/{views[0]['stacks'][both[0]]['height']}"
            answers = await asyncio.gather(first.move(place, 0), second.move(place, 1), return_exceptions=True)
            lost = [answer for answer in answers if isinstance(answer, Refused)]
            assert [(answer.key, answer.rule) for answer in lost] == [("too-late", "NB-11")]


@pytest.mark.anyio
async def test_two_people_and_two_bots_race_to_the_end(data: Any) -> None:
    with ServerProcess(data, pace=1) as server:
        async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
            table = await ada.lay("nimble", ["me", "open", "bot:master", "bot:random"], options={"checking": "audit"})
            await ben.join(table.id)
            async with ada.live(table.id) as first, ben.live(table.id) as second:
                async with asyncio.timeout(60):
                    people = [(first, random.Random(1)), (second, random.Random(2))]
                    await asyncio.gather(*[play_on(live, chance, rest=0.1) for live, chance in people])
                found = record.read(await ada.record(table.id))
            assert [*record.replay(found)][-1].outcome() is not None
            times = [move.at or 0 for move in found.moves]
            assert times == sorted(times)
            assert {move.seat for move in found.moves} >= {2, 3}, "the bots played too"
            assert soonest(found.moves, 2) >= 0, "nobody reacts in no time"
            assert soonest(found.moves, 3) >= 0
            assert json.loads(record.write(found))["options"] == {"checking": "audit"}


def soonest(moves: list[Played], seat: int) -> int:
    """Return by how many milliseconds the fastest move of a seat was slower than a fast hand is."""
    own = [move for move in moves if move.seat == seat]
    before = [0] + [move.at or 0 for move in own]
    least = [1000 * (LEAST_PLACEMENT if move.text.startswith("p") else LEAST_FLIP) for move in own]
    # Both times of a pair are whole milliseconds.
    return int(
        min([(move.at or 0) - sooner - fast + 1 for move, sooner, fast in zip(own, before, least, strict=False)])
    )


async def race_of_bots(data: Path, monkeypatch: pytest.MonkeyPatch, moves: int, pace: int) -> list[Played]:
    """Let two bots make so many moves at a table of a house of our own."""
    monkeypatch.setattr(judge, "COUNTDOWN", 200)
    settings = Settings(data, pace=pace, workers=1)
    house = House(settings, SqliteStore(settings.database), Keys(["aa" * 32]), now=steady_clock())
    await house.open()
    wish = NewTable("nimble", [SeatWish("bot", level="master"), SeatWish("bot", level="seedling")])
    room = await house.lay(wish, "ada", "Ada")
    await until(lambda: len(room.table.moves) >= moves, 30)
    found = list(room.table.moves)
    await house.close()
    return found


@pytest.mark.anyio
async def test_a_bot_is_never_faster_than_a_hand(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = await race_of_bots(data, monkeypatch, 14, 700)
    assert soonest(found, 0) >= 0
    assert soonest(found, 1) >= 0
    counts = [[move.seat for move in found].count(seat) for seat in (0, 1)]
    assert counts[0] > counts[1] > 0, "a master is faster than a seedling"


@pytest.mark.anyio
async def test_without_pace_bots_race_as_fast_as_they_can(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = await race_of_bots(data, monkeypatch, 100, 0)
    assert all(move.at is not None and move.at >= 0 for move in found), "but never before the signal (NB-5)"
    assert soonest(found, 0) < 0


class Slips(Pace):
    """Turns its set over, where that is refused, every other time."""

    slips = 0

    def delay(self, position: Position, seat: int, move: int, rng: Rng) -> float:
        return 0.02

    def slip(self, position: Position, seat: int, move: int, rng: Rng) -> int:
        self.slips += 1
        return TURN_OVER if self.slips % 2 else move


@pytest.mark.anyio
async def test_a_bot_whose_slip_is_refused_goes_on(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pace = Slips()
    level = Level("slips", "slips", "policy", registry.load("nimble").guide(), pace=pace)
    monkeypatch.setattr(botseat, "find", lambda game, name: level)
    found = await race_of_bots(data, monkeypatch, 20, 1)
    assert pace.slips >= len(found)
    assert {move.text for move in found} <= {"f", "b", "p1", "p2", "p3"}
    assert not caplog.records
