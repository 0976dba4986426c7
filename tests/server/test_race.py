"""Games without turns: the countdown, lost races, reaction times of bots, races that are abandoned."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from sevenhues import client
from sevenhues.client import Client, Live
from sevenhues.core import record, registry
from sevenhues.core.bot_support import Level, ReactionModel
from sevenhues.core.play import TimedMove, deal
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.games.nimble.bots.heuristics import MIN_FLIP_SECONDS, MIN_PLACEMENT_SECONDS
from sevenhues.games.nimble.pieces import TURN_OVER
from sevenhues.server.live import bot_player
from sevenhues.server.table import commands, events
from sevenhues.server.table.commands import SeatSpec, TableSpec
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.events import ClockSettings, Entry
from sevenhues.server.table.state import Decision, Table, restore
from tests.server.live_tables import open_live_tables
from tests.server.play import DEADLINE_SECONDS, play_on, start_game, wait_until
from tests.server.process import ServerProcess

BEGIN = 1_000_000


def started_race() -> Table:
    """Return a table of Nimble whose countdown ends at BEGIN."""
    game = registry.load("nimble")
    log: list[events.Event] = [
        events.Created("nimble", {}, 2, "a", False, ClockSettings(), False, False, "00" * 32),
        events.SeatTaken(0, "a", "Ada"),
        events.SeatTaken(1, "b", "Ben"),
        events.Started(game.setup(deal(game, b"race", 2)), BEGIN),
    ]
    return restore("t", [Entry(BEGIN - 3000, event) for event in log])


def test_nb5_move_before_the_signal_is_refused() -> None:
    table = started_race()
    with pytest.raises(Refused) as refused:
        commands.move(table, "a", 0, 0, "f", None, BEGIN - 1)
    assert refused.value.key == "countdown"
    decision = commands.move(table, "a", 0, 0, "f", None, BEGIN)
    assert decision is not None
    assert decision.event == events.MovePlayed(0, "f")


def test_race_without_a_placement_for_two_minutes_is_abandoned() -> None:
    table = started_race()
    assert commands.next_deadline(table) == BEGIN + commands.RACE_TIMEOUT_MS
    for i in range(60):
        at = BEGIN + 1000 * (i + 1)
        text = "f" if i % 2 == 0 else "b"
        table.apply(Entry(at, events.MovePlayed(0, text)))
    # Flipping cards and taking them back is no progress.
    assert commands.check_time(table, BEGIN + commands.RACE_TIMEOUT_MS - 1) is None
    decision = commands.check_time(table, BEGIN + commands.RACE_TIMEOUT_MS)
    assert decision == Decision(events.Abandoned())
    table.apply(Entry(BEGIN + commands.RACE_TIMEOUT_MS, decision.event))
    assert table.result is not None
    assert (table.result.reason, table.result.winners) == ("abandoned", [])


def test_race_is_not_abandoned_because_the_server_was_down() -> None:
    table = started_race()
    assert commands.grant_time(table, BEGIN + 60_000) is None
    back = BEGIN + commands.RACE_TIMEOUT_MS + 3_600_000
    granted = commands.grant_time(table, back)
    assert granted is not None
    table.apply(Entry(back, granted.event))
    assert commands.check_time(table, back + commands.RACE_TIMEOUT_MS - 1) is None
    assert commands.check_time(table, back + commands.RACE_TIMEOUT_MS) == Decision(events.Abandoned())


def test_times_of_a_record_are_counted_from_the_signal() -> None:
    table = started_race()
    table.apply(Entry(BEGIN + 250, events.MovePlayed(1, "f")))
    assert table.record().moves[0] == (1, "f", 250)
    assert record.write(table.record()).count("1 f @250") == 1


async def move_after_countdown(live: Live, seat: int) -> None:
    """Flip a card as soon as the server allows it, for the ply before the first move."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            try:
                await live.move("f", seat, ply=0)
            except client.Refused as error:
                if error.key != "countdown":
                    raise
                await asyncio.sleep(0.02)
            else:
                return


@pytest.mark.anyio
async def test_nb11_later_of_two_placements_is_refused_and_a_stale_ply_is_not(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("nimble", ["me", "open"])
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
                    ply = await live.move("f" if "f" in live.seat_view().legal else "t", seat) or 0
            place = f"p{both[0] + 1}/{views[0]['stacks'][both[0]]['height']}"
            answers = await asyncio.gather(first.move(place, 0), second.move(place, 1), return_exceptions=True)
            lost = [answer for answer in answers if isinstance(answer, client.Refused)]
            assert [(answer.key, answer.rule) for answer in lost] == [("too-late", "NB-11")]


@pytest.mark.anyio
@pytest.mark.long  # in the browser `make test` does the same
async def test_two_players_and_two_bots_race_to_the_end(data: Path) -> None:
    with ServerProcess(data, bot_min_move_ms=1) as server:
        async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
            table = await ada.create_table(
                "nimble", ["me", "open", "bot:master", "bot:random"], options={"checking": "audit"}
            )
            await ben.join(table.id)
            async with ada.live(table.id) as first, ben.live(table.id) as second:
                async with asyncio.timeout(2 * DEADLINE_SECONDS):
                    await asyncio.gather(
                        play_on(first, random.Random(1), pause=0.1), play_on(second, random.Random(2), pause=0.1)
                    )
                played = record.read(await ada.record(table.id))
            assert [*record.replay(played)][-1].outcome() is not None
            times = [move.at_ms or 0 for move in played.moves]
            assert times == sorted(times)
            assert {move.seat for move in played.moves} >= {2, 3}, "the bots played too"
            assert reaction_margin(played.moves, 2) >= 0
            assert reaction_margin(played.moves, 3) >= 0
            assert json.loads(record.write(played))["options"] == {"checking": "audit"}


def reaction_margin(moves: list[TimedMove], seat: int) -> int:
    """Return by how many milliseconds the fastest move of a seat was slower than the least reaction time."""
    own = [move for move in moves if move.seat == seat]
    before = [0] + [move.at_ms or 0 for move in own]
    least = [1000 * (MIN_PLACEMENT_SECONDS if move.text.startswith("p") else MIN_FLIP_SECONDS) for move in own]
    # Times are rounded to milliseconds.
    return int(
        min([(move.at_ms or 0) - sooner - fast + 1 for move, sooner, fast in zip(own, before, least, strict=False)])
    )


async def race_of_bots(data: Path, monkeypatch: pytest.MonkeyPatch, moves: int, min_move_ms: int) -> list[TimedMove]:
    """Have two bots race until each has made so many moves, and return them."""
    monkeypatch.setattr(commands, "COUNTDOWN_MS", 200)
    live_tables = await open_live_tables(data, min_move_ms=min_move_ms)
    spec = TableSpec((SeatSpec("bot", level="master"), SeatSpec("bot", level="seedling")))
    live_table = await live_tables.create(registry.load("nimble"), spec, "ada", "Ada")
    await wait_until(
        lambda: min([move.seat for move in live_table.table.moves].count(seat) for seat in (0, 1)) >= moves
    )
    made = list(live_table.table.moves)
    await live_tables.close()
    return made


@pytest.mark.anyio
@pytest.mark.slow
async def test_bot_is_not_faster_than_its_reaction_time(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = await race_of_bots(data, monkeypatch, 3, 700)
    assert reaction_margin(moves, 0) >= 0
    assert reaction_margin(moves, 1) >= 0


class SlowReactions(ReactionModel[Any]):
    """Takes an hour for a move."""

    def delay(self, position: Position, seat: int, move: int, rng: Rng) -> float:
        return 3600.0


def replace_reactions(monkeypatch: pytest.MonkeyPatch, reactions: ReactionModel[Any]) -> None:
    """Have every bot play by the game's own policy, with this reaction model."""
    level = Level("test", "test", "policy", registry.load("nimble").bot_support().heuristics(), reactions=reactions)
    monkeypatch.setattr(bot_player, "find", lambda game, name: level)


@pytest.mark.anyio
async def test_bots_without_a_minimum_time_do_not_wait(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_reactions(monkeypatch, SlowReactions())
    moves = await race_of_bots(data, monkeypatch, 10, 0)
    assert all(move.at_ms is not None and move.at_ms >= 0 for move in moves), "no move is made before the signal (NB-5)"


class MistakenReactions(ReactionModel[Any]):
    """Makes every first try of a seat a mistake: it turns the set over where that is refused."""

    def __init__(self) -> None:
        self.decisions = [0, 0]  # by seat

    def delay(self, position: Position, seat: int, move: int, rng: Rng) -> float:
        return 0.02

    def mistake(self, position: Position, seat: int, move: int, rng: Rng) -> int:
        self.decisions[seat] += 1
        return TURN_OVER if self.decisions[seat] % 2 else move


@pytest.mark.anyio
async def test_bot_continues_after_a_mistake_is_refused(
    data: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reactions = MistakenReactions()
    replace_reactions(monkeypatch, reactions)
    moves = await race_of_bots(data, monkeypatch, 5, 1)
    assert sum(reactions.decisions) >= 2 * len(moves)
    assert {move.text for move in moves} <= {"f", "b", "p1", "p2", "p3"}
    assert not caplog.records
