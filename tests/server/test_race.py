"""Games without turns: the countdown, lost races, reaction times of bots, races that are abandoned."""

import asyncio
import json
import random
from pathlib import Path

import pytest

from sevenhues.client import Client, Live, Refused
from sevenhues.core import record, registry
from sevenhues.core.game import Level, Pace, Position
from sevenhues.core.play import Played, deal
from sevenhues.core.rng import Rng
from sevenhues.games.nimble.bots.heuristics import LEAST_FLIP, LEAST_PLACEMENT
from sevenhues.games.nimble.pieces import TURN_OVER
from sevenhues.protocol import Clock, NewTable, SeatWish
from sevenhues.server.errors import Declined
from sevenhues.server.live import bot_player
from sevenhues.server.live.live_tables import grant
from sevenhues.server.table import commands, events
from sevenhues.server.table.events import Entry
from sevenhues.server.table.state import Table, restore
from tests.server.live_tables import open_house
from tests.server.play import DEADLINE_SECONDS, play_on, start_game, wait_until
from tests.server.process import ServerProcess

BEGIN = 1_000_000


def started_race() -> Table:
    """Return a table of Nimble whose countdown ends at BEGIN."""
    game = registry.load("nimble")
    log: list[events.Event] = [
        events.Created("nimble", {}, 2, "a", False, Clock(), False, False, "00" * 32),
        events.Sat(0, "a", "Ada"),
        events.Sat(1, "b", "Ben"),
        events.Started(game.setup(deal(game, b"race", 2)), BEGIN),
    ]
    return restore("t", [Entry(BEGIN - 3000, event) for event in log])


def test_nb5_move_before_the_signal_is_refused() -> None:
    table = started_race()
    with pytest.raises(Declined) as declined:
        commands.move(table, "a", 0, 0, "f", None, BEGIN - 1)
    assert declined.value.key == "countdown"
    assert commands.move(table, "a", 0, 0, "f", None, BEGIN) == events.Played(0, "f")


def test_race_without_a_placement_for_two_minutes_is_abandoned() -> None:
    table = started_race()
    assert commands.next_alarm(table) == BEGIN + commands.PATIENCE
    for i in range(60):
        at = BEGIN + 1000 * (i + 1)
        text = "f" if i % 2 == 0 else "b"
        table.apply(Entry(at, events.Played(0, text)))
    # Flipping cards and taking them back is no progress.
    assert commands.overdue(table, BEGIN + commands.PATIENCE - 1) is None
    ended = commands.overdue(table, BEGIN + commands.PATIENCE)
    assert ended == events.Abandoned()
    table.apply(Entry(BEGIN + commands.PATIENCE, ended))
    assert table.result is not None
    assert (table.result.reason, table.result.winners) == ("abandoned", [])


def test_race_is_not_abandoned_because_the_server_was_down() -> None:
    table = started_race()
    assert grant(table, BEGIN + 60_000) is None
    back = BEGIN + commands.PATIENCE + 3_600_000
    granted = grant(table, back)
    assert granted is not None
    table.apply(Entry(back, granted))
    assert commands.overdue(table, back + commands.PATIENCE - 1) is None
    assert commands.overdue(table, back + commands.PATIENCE) == events.Abandoned()


def test_times_of_a_record_are_counted_from_the_signal() -> None:
    table = started_race()
    table.apply(Entry(BEGIN + 250, events.Played(1, "f")))
    assert table.record().moves[0] == (1, "f", 250)
    assert record.write(table.record()).count("1 f @250") == 1


async def move_after_countdown(live: Live, seat: int) -> None:
    """Flip a card as soon as the server allows it, for the ply before the first move."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            try:
                await live.move("f", seat, ply=0)
            except Refused as error:
                if error.key != "countdown":
                    raise
                await asyncio.sleep(0.02)
            else:
                return


@pytest.mark.anyio
async def test_nb11_later_of_two_placements_is_refused_and_a_stale_ply_is_not(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.lay("nimble", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await start_game(first, second)
            assert first.update is not None
            assert first.update.begins is not None, "a countdown runs"
            # Both flip at ply 0: neither is refused for what the other did.
            await asyncio.gather(move_after_countdown(first, 0), move_after_countdown(second, 1))
            lives = [first, second]
            ply = 2
            for _ in range(400):
                await wait_until(
                    lambda ply=ply: all(live.update is not None and live.update.ply >= ply for live in lives)
                )
                views = [live.view() for live in lives]
                tops = [stack["top"]["circle"] for stack in views[0]["stacks"]]
                cards = [views[0]["players"][seat]["top"] for seat in (0, 1)]
                both = [i for i, circle in enumerate(tops) if all(card and card["frame"] == circle for card in cards)]
                if both:
                    break
                for seat, live in enumerate(lives):
                    ply = await live.move("f" if "f" in live.eye().legal else "t", seat) or 0
            place = f"p{both[0] + 1}/{views[0]['stacks'][both[0]]['height']}"
            answers = await asyncio.gather(first.move(place, 0), second.move(place, 1), return_exceptions=True)
            lost = [answer for answer in answers if isinstance(answer, Refused)]
            assert [(answer.key, answer.rule) for answer in lost] == [("too-late", "NB-11")]


@pytest.mark.anyio
@pytest.mark.long  # in the browser `make test` does the same
async def test_two_players_and_two_bots_race_to_the_end(data: Path) -> None:
    with ServerProcess(data, pace=1) as server:
        async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
            table = await ada.lay("nimble", ["me", "open", "bot:master", "bot:random"], options={"checking": "audit"})
            await ben.join(table.id)
            async with ada.live(table.id) as first, ben.live(table.id) as second:
                async with asyncio.timeout(2 * DEADLINE_SECONDS):
                    await asyncio.gather(
                        play_on(first, random.Random(1), pause=0.1), play_on(second, random.Random(2), pause=0.1)
                    )
                played = record.read(await ada.record(table.id))
            assert [*record.replay(played)][-1].outcome() is not None
            times = [move.at or 0 for move in played.moves]
            assert times == sorted(times)
            assert {move.seat for move in played.moves} >= {2, 3}, "the bots played too"
            assert reaction_margin(played.moves, 2) >= 0
            assert reaction_margin(played.moves, 3) >= 0
            assert json.loads(record.write(played))["options"] == {"checking": "audit"}


def reaction_margin(moves: list[Played], seat: int) -> int:
    """Return by how many milliseconds the fastest move of a seat was slower than the least reaction time."""
    own = [move for move in moves if move.seat == seat]
    before = [0] + [move.at or 0 for move in own]
    least = [1000 * (LEAST_PLACEMENT if move.text.startswith("p") else LEAST_FLIP) for move in own]
    # Times are rounded to milliseconds.
    return int(
        min([(move.at or 0) - sooner - fast + 1 for move, sooner, fast in zip(own, before, least, strict=False)])
    )


async def race_of_bots(data: Path, monkeypatch: pytest.MonkeyPatch, moves: int, pace: int) -> list[Played]:
    """Have two bots race until each has made so many moves, and return them."""
    monkeypatch.setattr(commands, "COUNTDOWN", 200)
    house = await open_house(data, pace=pace)
    settings = NewTable("nimble", [SeatWish("bot", level="master"), SeatWish("bot", level="seedling")])
    room = await house.lay(settings, "ada", "Ada")
    await wait_until(lambda: min([move.seat for move in room.table.moves].count(seat) for seat in (0, 1)) >= moves)
    made = list(room.table.moves)
    await house.close()
    return made


@pytest.mark.anyio
@pytest.mark.slow
async def test_bot_is_not_faster_than_its_reaction_time(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = await race_of_bots(data, monkeypatch, 3, 700)
    assert reaction_margin(moves, 0) >= 0
    assert reaction_margin(moves, 1) >= 0


class SlowPace(Pace):
    """Takes an hour for a move."""

    def delay(self, position: Position, seat: int, move: int, rng: Rng) -> float:
        return 3600.0


def replace_pace(monkeypatch: pytest.MonkeyPatch, pace: Pace) -> None:
    """Have every bot play by the game's own policy, with this pace."""
    level = Level("test", "test", "policy", registry.load("nimble").guide(), pace=pace)
    monkeypatch.setattr(bot_player, "find", lambda game, name: level)


@pytest.mark.anyio
async def test_bots_without_pace_do_not_wait(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_pace(monkeypatch, SlowPace())
    moves = await race_of_bots(data, monkeypatch, 10, 0)
    assert all(move.at is not None and move.at >= 0 for move in moves), "no move is made before the signal (NB-5)"


class MistakenPace(Pace):
    """Makes every first try of a seat a mistake: it turns the set over where that is refused."""

    def __init__(self) -> None:
        self.decisions = [0, 0]  # by seat

    def delay(self, position: Position, seat: int, move: int, rng: Rng) -> float:
        return 0.02

    def slip(self, position: Position, seat: int, move: int, rng: Rng) -> int:
        self.decisions[seat] += 1
        return TURN_OVER if self.decisions[seat] % 2 else move


@pytest.mark.anyio
async def test_bot_continues_after_a_mistake_is_refused(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pace = MistakenPace()
    replace_pace(monkeypatch, pace)
    moves = await race_of_bots(data, monkeypatch, 5, 1)
    assert sum(pace.decisions) >= 2 * len(moves)
    assert {move.text for move in moves} <= {"f", "b", "p1", "p2", "p3"}
    assert not caplog.records
