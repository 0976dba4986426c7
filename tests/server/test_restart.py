"""A server that is killed, started again and stopped."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from sevenhues.client import Client
from tests.server.play import DEADLINE_SECONDS, start_game, wait_until
from tests.server.process import ServerProcess
from tests.server.sample_records import sample_record

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


async def view_in_own_turn(ada: Client, table: str) -> tuple[int, Any]:
    """Wait until seat 0 is to act; return the ply and the view."""
    async with ada.live(table) as live:
        await wait_until(lambda: live.update is not None and live.update.turn == [0])
        assert live.update is not None
        return live.update.ply, json.loads(bytes(live.seat_view().view))


async def test_killed_server_resumes_a_branch_and_a_clock_and_announces_that_it_stops(data: Path) -> None:
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada:
            finished = await ada.upload(sample_record("rainbow-road"))
            branch = await ada.branch(finished.id, 9, 0, "random")
            before = await view_in_own_turn(ada, branch.id)
            clocked = await ada.create_table("rainbow", ["me", "me"], clock={"kind": "bank", "seconds": 600})
            async with ada.live(clocked.id) as live:
                await start_game(live)
            server.kill()
            killed = time.monotonic()
            server.start()
            down_ms = int((time.monotonic() - killed) * 1000)
            assert await view_in_own_turn(ada, branch.id) == before
            assert (await ada.table(branch.id)).branch == branch.branch
            assert len((await ada.replay(finished.id)).moves) == finished.ply
            async with ada.live(clocked.id) as live:
                assert live.update is not None
                assert live.update.clock is not None
                assert live.update.clock.running == live.update.turn[0]
                assert live.update.clock.left[live.update.turn[0]] <= 600_000 - down_ms
            begin = server.log_size
            async with connect(f"ws://127.0.0.1:{server.port}/api/tables/{branch.id}/live") as socket:
                await socket.recv()
                stopping = asyncio.create_task(asyncio.to_thread(server.stop))
                async with asyncio.timeout(DEADLINE_SECONDS):
                    while (message := json.loads(await socket.recv()))["type"] != "closing":
                        pass
                assert message["reason"] == "stopping"
                assert await stopping == 0
            assert "Traceback" not in server.logged(begin)
