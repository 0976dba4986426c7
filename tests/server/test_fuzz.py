"""Generated requests and websocket frames: no internal error, and no answer that the schema does not describe."""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect

from sevenhues.client import Client
from tests.server.operators import OPERATOR, TOKEN
from tests.server.play import seat_to_act, start_game
from tests.server.process import DEADLINE_SECONDS, ServerProcess
from tests.server.sample_records import sample_record

CONNECTIONS = 12
FRAMES = 60  # of one connection: fewer than what closes it as a flood
LAST_PING = 424242
LOOKUPS = 150


@pytest.mark.parametrize(
    ("kind", "phases"),
    [
        pytest.param("sqlite", "coverage", marks=pytest.mark.slow),
        pytest.param("sqlite", "fuzzing", marks=pytest.mark.long),
        pytest.param("postgres", "coverage,fuzzing", marks=pytest.mark.long),
    ],
)
def test_generated_requests_cause_no_internal_error(
    request: pytest.FixtureRequest, data: Path, tmp_path: Path, kind: str, phases: str
) -> None:
    shared = request.getfixturevalue("new_shared_store")() if kind == "postgres" else ()
    with ServerProcess(data, *shared, "--no-limits") as server:
        send_generated_requests(server, tmp_path, phases)
    assert "internal error" not in server.logged()
    assert "Traceback" not in server.logged()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_generated_requests_of_operators_cause_no_internal_error(
    request: pytest.FixtureRequest, data: Path, tmp_path: Path, kind: str
) -> None:
    shared = request.getfixturevalue("new_shared_store")() if kind == "postgres" else ()
    token = tmp_path / "admin.token"
    token.write_text(TOKEN, encoding="ascii")
    with ServerProcess(data, *shared, "--no-limits", "--admin-token-file", str(token)) as server:
        with httpx.Client(base_url=server.url, headers=OPERATOR, timeout=DEADLINE_SECONDS) as http:
            schema = http.get("/api/admin/schema").json()
            for path in ("/api/admin/people", "/api/admin/log?target=a%00b", "/api/admin/tables?q=%25_!"):
                assert http.get(path).status_code in (200, 400)
        headers = ["-H", f"Authorization: {OPERATOR['authorization']}"]
        run_schemathesis(server, tmp_path, json.dumps(schema).encode(), headers, "coverage,fuzzing")
    assert "internal error" not in server.logged()
    assert "Traceback" not in server.logged()


def send_generated_requests(server: ServerProcess, folder: Path, phases: str) -> None:
    """Have Schemathesis send requests to every route, and check the answers."""
    with httpx.Client(base_url=server.url, timeout=DEADLINE_SECONDS) as http:
        cookie = http.get("/api/me").cookies["sevenhues"]
        # A finished game, so that its routes have something to answer.
        record = http.post("/api/records", json=json.loads(sample_record("rainbow")))
        content = http.get("/api/schema").content
    assert record.status_code == 201, record.text
    run_schemathesis(server, folder, content, ["-H", f"Cookie: sevenhues={cookie}"], phases)


def run_schemathesis(server: ServerProcess, folder: Path, content: bytes, headers: list[str], phases: str) -> None:
    schema = folder / "schema.json"
    schema.write_bytes(content)
    command = [str(Path(sys.executable).with_name("schemathesis")), "run", str(schema), "--url", server.url]
    checks = ["--checks", "not_a_server_error,content_type_conformance,response_schema_conformance"]
    bounds = ["--max-examples", "50", "--seed", "7", "--phases", phases, "--max-failures", "5"]
    bounds += ["--request-timeout", str(DEADLINE_SECONDS)]
    done = subprocess.run(
        [*command, *checks, *bounds, *headers, "--no-color"], capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.anyio
async def test_nul_character_is_a_bad_request_at_every_route(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada:
        paths = (await ada._http.get("/api/schema")).json()["paths"]
        addresses: list[tuple[str, str]] = []
        for path, operations in paths.items():
            for method, operation in operations.items():
                names = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
                plain = re.sub("{.*?}", "1", path)
                addresses += [(method, f"{plain}?{name}=a%00b") for name in [*names, "other"]]
                addresses += [(method, re.sub("{.*?}", "a%00b", path))] if "{" in path else []
        addresses.append(("get", "/api/tables?which=open&before=1~a%00b"))
        assert len(addresses) > 40
        for method, address in addresses:
            answer = await ada._http.request(method, address)
            assert (answer.status_code, answer.json()["key"]) == (400, "bad-request"), (method, address)
            assert "NUL" in answer.json()["text"]


@pytest.mark.anyio
async def test_generated_lookups_cause_no_server_error(each_server: ServerProcess) -> None:
    """Text of requests is looked up in the database, and each database cannot store something else."""
    rng = random.Random(11)
    odd = [
        "%00",
        "%ED%A0%80",
        "%FF",
        "%C0%80",
        "'",
        '"',
        "%25",
        "\\",
        "$1",
        "?",
        "%F0%9F%8C%88",
        "-1",
        "1e9",
        "~",
        "%0A",
    ]
    odd += [str(2**63), str(2**53), "9" * 15, "9" * 400, "bot-", "0123456789abcdef", "rainbow"]
    routes = [
        "/api/tables?which=open&game={}",
        "/api/tables?which=live&before={}",
        "/api/tables?which=open&before=1~{}",
    ]
    routes += ["/api/players/{}", "/api/players/{}/games", "/api/players/bot-{}", "/api/players/master/games?before={}"]
    routes += ["/api/ratings/{}", "/api/ratings/rainbow?after={}", "/api/tables/{}", "/api/tables/{}/ratings"]
    async with Client(each_server.url, "Ada") as ada:
        for _ in range(LOOKUPS):
            address = rng.choice(routes).format("".join(rng.choices(odd, k=rng.randint(1, 3))))
            answer = await ada._http.get(address)
            assert answer.status_code < 500, (address, answer.text)


def generated_frame(rng: random.Random) -> str | bytes:
    """Return a frame that may or may not be a message."""
    values = [0, -1, 10**30, 1.5, True, None, "", "S1", "x" * 100, [], [0, [1]], {}, {"a": 1}, "\u202e", "\x00"]
    fields = ["id", "seat", "ply", "text", "seats", "entropy", "at", "type", "more"]
    types = ["select-views", "ready", "start", "move", "resign", "rematch", "ping", "fly", "", None]
    message = {"type": rng.choice(types)} | {
        name: rng.choice(values) for name in rng.sample(fields, rng.randrange(len(fields)))
    }
    text = json.dumps(message)
    if rng.random() < 0.2:
        text = text[: rng.randrange(len(text))]
    return text.encode() if rng.random() < 0.1 else text


@pytest.mark.anyio
async def test_generated_frames_are_answered_and_change_nothing(server: ServerProcess) -> None:
    begin = server.log_size
    rng = random.Random(99)
    async with Client(server.url, "Ada") as ada, Client(server.url, "Zoe") as zoe:
        table = await ada.create_table("rainbow", ["me", "me"])
        async with ada.live(table.id) as live:
            await start_game(live)
            address = f"ws://127.0.0.1:{server.port}/api/tables/{table.id}/live"
            answered = 0
            for _ in range(CONNECTIONS):
                async with connect(address, additional_headers={"cookie": f"sevenhues={zoe.cookie}"}) as socket:
                    for _ in range(FRAMES):
                        await socket.send(generated_frame(rng))
                    await socket.send(json.dumps({"type": "ping", "at": LAST_PING}))
                    async for text in socket:
                        message = json.loads(text)
                        answered += message["type"] in ("refused", "pong", "update")
                        if message["type"] == "pong" and message["at"] == LAST_PING:
                            break
            assert answered >= CONNECTIONS * FRAMES, "every frame was answered"
            assert live.update is not None
            assert (live.update.ply, live.update.result) == (0, None)
            assert await live.move("S1", seat_to_act(live)) == 1
    assert '"level": "error"' not in server.logged(begin)
