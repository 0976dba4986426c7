"""Records of offline games pass `sevenhues verify`; changed ones do not."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from sevenhues.core import registry
from tests.cli.command import invoke
from tests.offline.devices import Browser, Tab
from tests.offline.test_server import ENTROPY, ME, bot, create, opened
from tests.server.play import EXPECTED_REFUSALS

pytestmark = pytest.mark.anyio
MOVES = 6  # of the seats on this device, in each game
OTHERS: dict[str, list[dict[str, Any]]] = {
    "alone": [],
    "with a bot": [bot("seedling")],
    "on one device": [ME, ME],
    "both": [ME, bot("player")],
}
CASES = [
    pytest.param(name, others, id=f"{name} {kind}")
    for name in registry.names()
    for kind, others in OTHERS.items()
    if registry.load(name).min_seats <= 1 + len(others) <= registry.load(name).max_seats
]


async def play_and_resign(tab: Tab, table_id: str, seats: list[int], rng: random.Random) -> dict[str, Any]:
    """Play some moves in the seats of this device, resign, and return the record."""
    connection = tab.connect(table_id)
    tab.send(connection, type="ready", id="ready", entropy=ENTROPY)
    tab.send(connection, type="select-views", seats=seats)
    made, answered, seat, text = 0, -1, 0, ""

    def move(ply: int, seat: int, text: str) -> None:
        tab.send(connection, type="move", id=f"m{ply}", seat=seat, ply=ply, text=text)

    while made < MOVES:
        update = await tab.receive(connection, lambda message: message["type"] in ("update", "refused"))
        if update["type"] == "refused":  # in a race: until the countdown has ended, or because a bot was faster
            assert update["key"] in EXPECTED_REFUSALS, update
            if update["key"] == "countdown":
                move(answered, seat, text)
            continue
        choices = [(view["seat"], text) for view in update["views"] if view["seat"] >= 0 for text in view["legal"]]
        if update["result"]:
            break
        if choices and update["ply"] > answered:
            made, answered = made + 1, update["ply"]
            seat, text = rng.choice(choices)
            move(answered, seat, text)
    else:
        for seat in seats:
            tab.send(connection, type="resign", id=f"resign-{seat}", seat=seat)
        await tab.receive(connection, lambda message: message["type"] == "update" and message["result"] is not None)
    status, record = await tab.request("GET", f"/api/tables/{table_id}/record")
    assert status == 200, record
    found: dict[str, Any] = record
    return found


@pytest.mark.parametrize(("name", "others"), CASES)
async def test_record_of_an_offline_game_is_verified(tmp_path: Path, name: str, others: list[dict[str, Any]]) -> None:
    async with opened(Browser()) as tab:
        table_id = await create(tab, name, ME, *others)
        own = [0, *(seat for seat, other in enumerate(others, 1) if other == ME)]
        record = await play_and_resign(tab, table_id, own, random.Random(1))
    assert record["moves"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    done = invoke("verify", str(file))
    assert (done.returncode, done.stdout.endswith("deal proven\n")) == (0, True), done.stdout + done.stderr
    for change in changes(record):
        file.write_text(json.dumps(change))
        assert invoke("verify", str(file)).returncode != 0


def changes(record: dict[str, Any]) -> list[dict[str, Any]]:
    """Return records with another score, another first move, and with another deal's proof."""
    scores = [score + 1 for score in record["result"]["scores"]]
    deal = {key: "0" * len(value) if isinstance(value, str) else value for key, value in record["deal"].items()}
    return [
        record | {"result": record["result"] | {"scores": scores}},
        record | {"moves": [record["moves"][0] + "x", *record["moves"][1:]]},
        record | {"deal": deal},
    ]
