"""Stories of finished games: told in the background, kept with the game, told again if the worker dies."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sevenhues.analysis import analyse
from sevenhues.client import Client, Refused
from sevenhues.core import record
from sevenhues.server.protocol import Story
from tests.server.conftest import shared
from tests.server.play import play_on, until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
SIMULATIONS = 8


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def teller(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    more = shared(request) if request.param == "postgres" else ()
    with ServerProcess(tmp_path_factory.mktemp("told"), "--story", str(SIMULATIONS), *more) as running:
        yield running


async def finished(ada: Client, game: str, moves: int) -> str:
    """Play some moves on a device of one's own, and resign; return the table."""
    table = await ada.lay(game, ["me", "me"])
    async with ada.live(table.id) as live:
        await live.look(0, 1)
        await play_on(live, random.Random(2), moves)
        await live.resign(0)
    return table.id


async def story_of(ada: Client, table: str) -> Story:
    for _ in range(600):
        found = await ada.analyse(table, begin=False)
        if found.state == "done":
            assert found.story is not None
            return found.story
        await asyncio.sleep(0.1)
    raise AssertionError("the story was never told")


async def test_a_story_is_told_when_asked_for_and_kept(teller: ServerProcess) -> None:
    async with Client(teller.url, "Ada") as ada:
        table = await finished(ada, "rainbow", 6)
        assert (await ada.analyse(table, begin=False)).state == "none"
        begun = await ada.analyse(table)
        assert (begun.state, begun.of) == ("running", 7)
        story = await story_of(ada, table)
        again = await ada.analyse(table)
        assert again.state == "done"
        assert again.story == story
        text = await ada.record(table)
        told = analyse(record.read(text), simulations=SIMULATIONS)
        assert story.chances == told["chances"], "the command tells the same story of the record"
        assert [move.choice for move in story.moves] == [move["choice"] for move in told["moves"]]
        assert story.chances is not None
        assert story.sums[0].outside == pytest.approx(-story.chances[-1][0], abs=1e-5)
    teller.stop()
    teller.start()
    async with Client(teller.url, "Bo") as bo:
        kept = await bo.analyse(table, begin=False)
        assert kept.story == story


async def test_a_race_has_a_chronicle(teller: ServerProcess) -> None:
    async with Client(teller.url, "Ada") as ada:
        table = await finished(ada, "nimble", 8)
        await ada.analyse(table)
        story = await story_of(ada, table)
    assert story.chances is None
    assert story.chronicle is not None
    assert story.times is not None
    assert len(story.times) == len(story.scores) - 1
    assert {fact.key for fact in story.chronicle.facts} >= {"pace", "idle", "races_lost", "passed"}


async def test_nothing_is_told_of_a_game_that_goes_on(teller: ServerProcess) -> None:
    async with Client(teller.url, "Ada") as ada:
        table = (await ada.lay("rainbow", ["me", "bot:random"])).id
        for ask in (ada.analyse(table), ada.analyse(table, begin=False), ada.beliefs(table, 0, 0)):
            with pytest.raises(Refused) as refused:
                await ask
            assert refused.value.key == "not-over"


async def test_odds_are_those_of_the_game(teller: ServerProcess) -> None:
    async with Client(teller.url, "Ada") as ada:
        table = await finished(ada, "rainbow", 5)
        found = record.read(await ada.record(table))
        positions = [position.copy() for position in record.replay(found)]
        for ply, seat in ((0, 0), (3, 1), (5, -1), (3, 1)):
            told = await ada.beliefs(table, ply, seat)
            expected = found.game.beliefs(positions[ply], seat)
            assert expected is not None
            assert [face.chances for face in told.faces] == [face.chances for face in expected.faces]
        for ply, seat, key in ((6, 0, "no-ply"), (-1, 0, "no-ply"), (0, 2, "no-seat"), (0, -2, "no-seat")):
            with pytest.raises(Refused) as refused:
                await ada.beliefs(table, ply, seat)
            assert refused.value.key == key
        race = await finished(ada, "nimble", 2)
        with pytest.raises(Refused) as refused:
            await ada.beliefs(race, 0, 0)
        assert refused.value.key == "no-odds"


def workers_of(server: int) -> set[int]:
    """Find the processes of a server that are low in priority: those that tell stories."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == server and int(fields[16]) > 0:
                found.add(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
async def test_a_killed_worker_begins_anew(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "killed", "--story", "60") as server:
        async with Client(server.url, "Ada") as ada:
            table = await finished(ada, "rainbow", 12)
            await ada.analyse(table)
            await until(lambda: workers_of(server.pid), 30.0)
            (first,) = workers_of(server.pid)
            os.kill(first, signal.SIGKILL)
            await story_of(ada, table)
            assert first not in workers_of(server.pid)


async def test_a_story_in_the_telling_does_not_keep_the_server_from_stopping(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "stopped", "--story", "100000") as server:
        async with Client(server.url, "Ada") as ada:
            table = await finished(ada, "rainbow", 6)
            assert (await ada.analyse(table)).state == "running"
            await asyncio.sleep(1.0)
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 10


async def test_a_forgotten_name_is_in_no_story(teller: ServerProcess) -> None:
    async with Client(teller.url, "Zebulon") as person:
        table = await finished(person, "rainbow", 2)
        await person.analyse(table)
        await story_of(person, table)
        body = (await person._send("GET", f"/api/tables/{table}/analysis")).text
    assert "Zebulon" not in body
