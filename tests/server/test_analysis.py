"""Analyses of finished games: made in the background, stored with the game, restarted if the worker dies."""

import asyncio
import os
import random
import signal
from pathlib import Path

import numpy as np
import pytest

from sevenhues.analysis import analyse
from sevenhues.client import Client, Refused
from sevenhues.core import record
from sevenhues.protocol import AnalysisReport
from tests.server.conftest import ANALYSIS_SIMULATIONS
from tests.server.play import DEADLINE_SECONDS, play_on
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers through /proc")


async def finished_table(ada: Client, game: str, moves: int) -> str:
    """Play some moves for both seats, and resign; return the table's id."""
    table = await ada.create_table(game, ["me", "me"])
    async with ada.live(table.id) as live:
        await live.select_views(0, 1)
        await play_on(live, random.Random(2), moves)
        await live.resign(0)
    return table.id


async def completed_analysis(ada: Client, table: str) -> AnalysisReport:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while (answer := await ada.analyse(table, start=False)).state != "done":
            await asyncio.sleep(0.05)
    assert answer.report is not None
    return answer.report


async def test_analysis_is_made_on_request_and_stored(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada:
        table = await finished_table(ada, "rainbow", 6)
        assert (await ada.analyse(table, start=False)).state == "none"
        begun = await ada.analyse(table)
        assert (begun.state, begun.of) == ("running", 7)
        report = await completed_analysis(ada, table)
        again = await ada.analyse(table)
        assert again.state == "done"
        assert again.report == report
        text = await ada.record(table)
        expected = analyse(record.read(text), simulations=ANALYSIS_SIMULATIONS)
        # The command analyses the record alike, but for the last digit: NumPy adds in an order of its own.
        assert report.chances is not None
        np.testing.assert_allclose(report.chances, expected["chances"], atol=1e-5)
        choices = [move.choice for move in report.moves]
        assert choices == pytest.approx([move["choice"] for move in expected["moves"]], abs=1e-5)
        assert report.sums[0].outside == pytest.approx(-report.chances[-1][0], abs=1e-5)


async def test_race_has_a_race_report(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await finished_table(ada, "nimble", 8)
        await ada.analyse(table)
        report = await completed_analysis(ada, table)
    assert report.chances is None
    assert report.race_report is not None
    assert report.times is not None
    assert len(report.times) == len(report.scores) - 1
    assert {fact.key for fact in report.race_report.facts} >= {"pace", "idle", "races_lost", "passed"}


async def test_unfinished_game_has_no_analysis_and_no_odds(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = (await ada.create_table("rainbow", ["me", "bot:random"])).id
        for request in (ada.analyse(table), ada.analyse(table, start=False), ada.beliefs(table, 0, 0)):
            with pytest.raises(Refused) as refused:
                await request
            assert refused.value.key == "not-over"


async def test_odds_equal_those_of_the_game(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await finished_table(ada, "rainbow", 5)
        played = record.read(await ada.record(table))
        positions = [position.copy() for position in record.replay(played)]
        for ply, seat in ((0, 0), (3, 1), (5, -1), (3, 1)):
            answer = await ada.beliefs(table, ply, seat)
            expected = played.game.bot_support().beliefs(positions[ply], seat)
            assert expected is not None
            assert [face.chances for face in answer.faces] == [face.chances for face in expected.faces]
        for ply, seat, key in ((6, 0, "no-ply"), (-1, 0, "no-ply"), (0, 2, "no-seat"), (0, -2, "no-seat")):
            with pytest.raises(Refused) as refused:
                await ada.beliefs(table, ply, seat)
            assert refused.value.key == key
        race = await finished_table(ada, "nimble", 2)
        with pytest.raises(Refused) as refused:
            await ada.beliefs(race, 0, 0)
        assert refused.value.key == "no-odds"


def analysis_workers(server: ServerProcess) -> set[int]:
    """Find the children of a server that have a lower priority than the server: those that analyse games."""
    niceness = os.getpriority(os.PRIO_PROCESS, server.pid)
    workers = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == server.pid and int(fields[16]) > niceness:
                workers.add(int(entry.name))
    return workers


async def start_analysis_that_hangs(server: ServerProcess, ada: Client) -> tuple[str, int]:
    """Start an analysis whose worker is paused; return the table and the worker."""
    first = await finished_table(ada, "rainbow", 1)
    await ada.analyse(first)
    await completed_analysis(ada, first)
    (worker,) = analysis_workers(server)
    os.kill(worker, signal.SIGSTOP)
    table = await finished_table(ada, "rainbow", 6)
    assert (await ada.analyse(table)).state == "running"
    return table, worker


@needs_proc
async def test_analysis_is_restarted_when_its_worker_is_killed(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table, worker = await start_analysis_that_hangs(server, ada)
        os.kill(worker, signal.SIGKILL)
        await completed_analysis(ada, table)
        assert worker not in analysis_workers(server)


@needs_proc
async def test_server_stops_during_an_analysis_and_keeps_those_before(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await finished_table(ada, "rainbow", 6)
        await ada.analyse(table)
        report = await completed_analysis(ada, table)
        await start_analysis_that_hangs(server, ada)
    assert server.stop() == 0
    server.start()
    async with Client(server.url, "Bo") as bo:
        assert (await bo.analyse(table, start=False)).report == report


async def test_analysis_contains_no_names(server: ServerProcess) -> None:
    async with Client(server.url, "Zebulon") as user:
        table = await finished_table(user, "rainbow", 2)
        await user.analyse(table)
        await completed_analysis(user, table)
        body = (await user._send("GET", f"/api/tables/{table}/analysis")).text
    assert "Zebulon" not in body
