"""The offline server as a page uses it: games against bots, restarts, several tabs, a full storage."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from sevenhues.core import record, registry
from sevenhues.nets import loading
from tests.offline.devices import Browser, Tab, wait_until

pytestmark = pytest.mark.anyio
GAMES = registry.names()
ENTROPY = "x" * 20


@pytest.fixture(autouse=True)
def networks() -> Any:
    """Read networks by NumPy again after a test, for others of this process."""
    readers = list(loading._readers)
    yield
    loading.use_reader(readers[0])


@asynccontextmanager
async def opened(browser: Browser, min_move_ms: int = 0) -> AsyncIterator[Tab]:
    tab = await Tab(browser, min_move_ms).open()
    try:
        yield tab
    finally:
        await tab.close()


async def create(tab: Tab, game: str, *seats: dict[str, Any], **more: object) -> str:
    status, table = await tab.request("POST", "/api/tables", {"game": game, "seats": seats, **more})
    assert status == 201, table
    assert table["id"].startswith("offline-")
    return str(table["id"])


ME = {"kind": "me"}


def bot(level: str) -> dict[str, Any]:
    return {"kind": "bot", "level": level}


async def start(tab: Tab, table_id: str) -> int:
    """Connect to a new table, start its game, and request its position."""
    connection = tab.connect(table_id)
    tab.send(connection, type="ready", id="ready", entropy=ENTROPY)
    await tab.receive(connection, lambda message: message["type"] == "accepted")
    tab.send(connection, type="select-views", seats=[0])
    return connection


async def play(tab: Tab, connection: int, rng: random.Random, most: int = 10_000) -> dict[str, Any]:
    """Play random moves until the game is over or `most` were made; return the last update."""
    tab.send(connection, type="select-views", seats=[0])
    made, answered = 0, -1
    while True:
        update = await tab.receive(connection, lambda message: message["type"] in ("update", "refused"))
        assert update["type"] == "update", update
        legal = [text for view in update["views"] if view["seat"] == 0 for text in view["legal"]]
        if update["result"] or (made == most and update["ply"] > answered):
            return update
        if legal and update["ply"] > answered:
            made, answered = made + 1, update["ply"]
            text = rng.choice(legal)
            tab.send(connection, type="move", id=f"m{answered}", seat=0, ply=answered, text=text)


TURN_BASED = [name for name in GAMES if not registry.load(name).simultaneous]


@pytest.mark.parametrize("game", TURN_BASED)
async def test_game_against_a_bot_is_continued_after_a_restart_and_its_record_is_valid(game: str) -> None:
    browser, rng = Browser(), random.Random(1)
    async with opened(browser) as tab:
        table_id = await create(tab, game, ME, bot("seedling"))
        connection = await start(tab, table_id)
        before = await play(tab, connection, rng, 3)
    async with opened(browser) as tab:
        listed = (await tab.request("GET", "/api/tables?which=mine"))[1]["tables"]
        assert [table["id"] for table in listed] == [table_id]
        connection = tab.connect(table_id)
        tab.send(connection, type="select-views", seats=[0])
        again = await tab.receive(connection, lambda message: message["type"] == "update" and message["history"])
        assert again["ply"] >= before["ply"]
        if registry.load(game).id != "flip-and-slide":
            last = await play(tab, connection, rng)
            assert last["result"]["winners"] is not None
        else:
            tab.send(connection, type="resign", id="end", seat=0)
            await tab.receive(connection, lambda message: message["type"] == "update" and message["result"])
        status, uploaded = await tab.request("GET", f"/api/tables/{table_id}/record")
        assert status == 200
        *_, end = record.replay(record.read(json.dumps(uploaded)))
        assert end.scores() == uploaded["result"]["scores"]


async def test_race_against_a_bot_is_played_after_its_countdown() -> None:
    async with opened(Browser()) as tab:
        (game,) = (name for name in GAMES if registry.load(name).simultaneous)
        table_id = await create(tab, game, ME, bot("seedling"))
        connection = await start(tab, table_id)
        update = await tab.receive(connection, lambda one: one["type"] == "update" and one["move"] is not None)
        assert update["move"]["seat"] == 1
        legal = update["views"][0]["legal"]
        tab.send(connection, type="move", id="own", seat=0, ply=update["ply"], text=legal[0])
        answer = await tab.receive(connection, lambda one: one["type"] in ("accepted", "refused"))
        assert answer["type"] == "accepted", answer


async def test_two_tabs_see_one_game_and_the_other_plays_on_when_one_is_closed() -> None:
    browser = Browser()
    async with opened(browser) as first, opened(browser) as second:
        table_id = await create(first, "rainbow-road", ME, bot("seedling"))
        connection = await start(first, table_id)
        await play(first, connection, random.Random(2), 2)
        other = second.connect(table_id)
        before = await second.receive(other, lambda message: message["type"] == "update")
        first.vanish()
        rng = random.Random(3)
        after = await play(second, other, rng, 2)
        while not browser.lock_queues[table_id]:  # the lock is requested when the bot is to move
            after = await play(second, other, rng, 1)
        assert after["ply"] > before["ply"]
        assert browser.lock_queues[table_id] == [second]


async def test_two_tabs_that_move_at_once_agree_on_one_move() -> None:
    browser = Browser()
    async with opened(browser) as first, opened(browser) as second:
        table_id = await create(first, "rainbow-road", ME, {"kind": "me", "name": "Bo"})
        connection = await start(first, table_id)
        other = second.connect(table_id)
        tabs = ((first, connection), (second, other))
        for tab, number in tabs:
            tab.send(number, type="select-views", seats=[0, 1])
        updates = [
            await tab.receive(number, lambda one: one["type"] == "update" and one["views"][-1]["seat"] == 1)
            for tab, number in tabs
        ]
        seat = updates[0]["turn"][0]
        legal = updates[0]["views"][seat]["legal"]
        for at, ((tab, number), text) in enumerate(zip(tabs, (legal[0], legal[-1]), strict=True)):
            tab.send(number, type="move", id=f"m{at}", seat=seat, ply=0, text=text)
        answers = [
            await tab.receive(number, lambda one: one["type"] in ("accepted", "refused")) for tab, number in tabs
        ]
        assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"], answers
        assert [answer["key"] for answer in answers if answer["type"] == "refused"] == ["stale"]


async def test_move_that_cannot_be_stored_is_refused_and_can_be_made_later() -> None:
    browser = Browser()
    async with opened(browser) as tab:
        table_id = await create(tab, "rainbow-road", ME, bot("seedling"))
        connection = await start(tab, table_id)
        update = await tab.receive(connection, lambda one: one["type"] == "update" and 0 in one["turn"])
        stored = browser.database.texts(table_id)
        browser.database.failure = RuntimeError("QuotaExceededError")
        move = {"type": "move", "seat": 0, "ply": update["ply"], "text": update["views"][0]["legal"][0]}
        tab.send(connection, id="full", **move)
        refused = await tab.receive(connection, lambda one: one["type"] in ("accepted", "refused"))
        assert refused["key"] == "store-failed"
        assert (await tab.request("GET", "/api/tables?which=mine"))[0] == 503
        assert browser.database.texts(table_id) == stored
        browser.database.failure = None
        tab.send(connection, id="again", **move)
        assert (await tab.receive(connection, lambda one: one["type"] in ("accepted", "refused")))["type"] == "accepted"


async def test_worker_that_is_killed_after_any_message_has_kept_every_acknowledged_move() -> None:
    browser, acknowledged, rng = Browser(), 0, random.Random(4)
    tab = await Tab(browser).open()
    table_id = await create(tab, "rainbow", ME, bot("seedling"))
    await start(tab, table_id)
    for kill in range(12):
        tab.vanish()
        tab = await Tab(browser).open()
        connection = tab.connect(table_id)
        tab.send(connection, type="select-views", seats=[0])
        update = await tab.receive(connection, lambda one: one["type"] == "update" and one["history"] is not None)
        assert update["ply"] >= acknowledged
        last = await play(tab, connection, rng, kill % 3)
        acknowledged = last["ply"]
        if last["result"]:
            break
    await tab.close()


async def test_list_of_the_page_follows_the_game() -> None:
    browser = Browser()
    async with opened(browser) as tab:
        table_id = await create(tab, "rainbow-road", ME, bot("seedling"))
        connection = await start(tab, table_id)
        last = await play(tab, connection, random.Random(5), 3)
        await wait_until(lambda: json.loads(browser.database.stores["listed"][table_id])["ply"] >= last["ply"])
        shown = (await tab.request("GET", f"/api/tables/{table_id}"))[1]
        listed = json.loads(browser.database.stores["listed"][table_id])
        assert listed.keys() == shown.keys()


async def test_requests_that_need_no_server_are_answered() -> None:
    async with opened(Browser()) as tab:
        assert [game["id"] for game in (await tab.request("GET", "/api/games"))[1]] == list(GAMES)
        assert (await tab.request("GET", "/api/games/rainbow/rules?language=nl"))[1].startswith("#")
        assert (await tab.request("GET", "/api/games/rainbow/lesson?language=de"))[1]["steps"]
        me = (await tab.request("GET", "/api/me"))[1]
        assert (await tab.request("PATCH", "/api/me", {"name": "Ada"}))[1] == {**me, "name": "Ada"}
        assert (await tab.request("GET", "/api/tables?which=live"))[1] == {"tables": [], "more": None}


@pytest.mark.parametrize(
    ("method", "address", "body", "status", "key"),
    [
        ("GET", "/api/ratings/rainbow", None, 503, "offline-only"),
        ("GET", "/api/players/bot-master/games", None, 503, "offline-only"),
        ("POST", "/api/me/transfer-code", None, 503, "offline-only"),
        ("GET", "/api/nothing", None, 404, "no-page"),
        ("GET", "/api/games/chess/rules", None, 404, "no-game"),
        ("GET", "/api/tables/offline-none", None, 404, "no-table"),
        ("GET", "/api/tables?which=all", None, 400, "bad-request"),
        ("POST", "/api/tables", {"game": "rainbow"}, 400, "bad-request"),
        ("POST", "/api/tables", {"game": "rainbow", "seats": [ME] * 9}, 400, "bad-table"),
        ("PATCH", "/api/me", {"name": "\u200b"}, 400, "bad-request"),
        ("POST", "/api/records", {"game": "rainbow"}, 400, "bad-record"),
    ],
)
async def test_refused_request_has_a_status_and_a_key(
    method: str, address: str, body: object, status: int, key: str
) -> None:
    async with opened(Browser()) as tab:
        answered, problem = await tab.request(method, address, body)
        assert (answered, problem["key"]) == (status, key)


async def test_finished_game_is_replayed_analysed_and_continued_from_a_ply() -> None:
    async with opened(Browser()) as tab:
        table_id = await create(tab, "rainbow-road", ME, bot("seedling"))
        connection = await start(tab, table_id)
        await play(tab, connection, random.Random(6), 2)
        tab.send(connection, type="resign", id="end", seat=0)
        end = await tab.receive(connection, lambda one: one["type"] == "update" and one["result"])
        replay = (await tab.request("GET", f"/api/tables/{table_id}/replay?view=everything"))[1]
        assert [frame["ply"] for frame in replay["frames"]] == list(range(end["ply"] + 1))
        tab.server.disconnect(connection)
        assert (await tab.request("POST", f"/api/tables/{table_id}/analysis"))[1]["state"] == "running"
        async with asyncio.timeout(60):
            while (analysis := (await tab.request("GET", f"/api/tables/{table_id}/analysis"))[1])["state"] != "done":
                await asyncio.sleep(0.01)
        assert len(analysis["report"]["chances"]) == end["ply"] + 1
        branch = {"ply": 1, "seat": 0, "level": "seedling"}
        status, table = await tab.request("POST", f"/api/tables/{table_id}/branch", branch)
        assert (status, table["branch"]) == (201, {"table": table_id, "ply": 1})


async def test_deleted_user_leaves_nothing_behind() -> None:
    browser = Browser()
    async with opened(browser) as tab:
        table_id = await create(tab, "rainbow", ME, bot("seedling"))
        connection = tab.connect(table_id)
        await tab.receive(connection, lambda message: message["type"] == "table")
        assert (await tab.request("DELETE", "/api/me"))[0] == 200
        await wait_until(lambda: connection in tab.closings)
        assert tab.closings[connection] == (4004, "gone")
        assert {store: texts for store, texts in browser.database.stores.items() if texts}.keys() == {"device"}
