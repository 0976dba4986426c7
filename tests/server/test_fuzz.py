"""Every route with whatever fits its schema, and what does not: no mistake of ours, no answer the schema does not know.

The same for websockets, frame by frame.
"""

import asyncio
import json
import random
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
import websockets
from websockets.asyncio.client import connect

from sevenhues.client import Client
from tests.server.process import ServerProcess

pytestmark = pytest.mark.slow


def test_schemathesis_finds_no_mistake_of_ours(server: ServerProcess, tmp_path: Path) -> None:
    cookie = httpx.get(f"{server.url}/api/me").cookies["sevenhues"]
    command = [str(Path(sys.executable).with_name("schemathesis")), "run", f"{server.url}/api/schema"]
    checks = ["--checks", "not_a_server_error,content_type_conformance,response_schema_conformance"]
    bounds = ["--max-examples", "25", "--seed", "7", "--phases", "coverage,fuzzing", "--max-failures", "5"]
    who = ["-H", f"Cookie: sevenhues={cookie}", "--no-color"]
    done = subprocess.run([*command, *checks, *bounds, *who], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    log = server.log.read_text()
    assert "a mistake of ours" not in log
    assert "Traceback" not in log


def frame(chance: random.Random) -> str | bytes:
    """Make something that may or may not be a message."""
    values = [0, -1, 10**30, 1.5, True, None, "", "S1", "x" * 100, [], [0, [1]], {}, {"a": 1}, "\u202e", "\x00"]
    fields = ["id", "seat", "ply", "text", "seats", "entropy", "at", "type", "more"]
    kinds = ["look", "ready", "start", "move", "resign", "rematch", "ping", "fly", "", None]
    message = {"type": chance.choice(kinds)} | {
        name: chance.choice(values) for name in chance.sample(fields, chance.randrange(len(fields)))
    }
    text = json.dumps(message)
    if chance.random() < 0.2:
        text = text[: chance.randrange(len(text))]
    return text.encode() if chance.random() < 0.1 else text


@pytest.mark.anyio
async def test_fuzzed_frames_are_answered_and_change_nothing(server: ServerProcess) -> None:
    chance = random.Random(99)
    async with Client(server.url, "Ada") as ada, Client(server.url, "Zoe") as zoe:
        table = await ada.lay("rainbow", ["me", "me"])
        async with ada.live(table.id) as live:
            await live.ready()
            address = f"ws://127.0.0.1:{server.port}/api/tables/{table.id}/live"
            answered = 0
            for _ in range(12):
                async with connect(address, additional_headers={"cookie": f"sevenhues={zoe.cookie}"}) as socket:
                    try:
                        for _ in range(60):
                            await socket.send(frame(chance))
                        async with asyncio.timeout(2):
                            async for message in socket:
                                answered += json.loads(message)["type"] in ("refused", "pong", "update")
                    except (TimeoutError, websockets.ConnectionClosed):
                        continue
            assert answered > 300
            assert live.update is not None
            assert live.update.ply == 0
            assert live.update.result is None
            await live.move("S1", live.update.turn[0]) if live.update.eyes[0].seat >= 0 else await live.look(0)
    assert '"level": "error"' not in server.log.read_text()
