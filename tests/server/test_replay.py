"""Replays of finished games, imported records, and tables that branch off from a finished game."""

import asyncio
import json
import random
from typing import Any

import httpx
import pytest

from sevenhues.client import Client, Refused
from sevenhues.core import record, registry
from sevenhues.core.deal_proof import verify_deal
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import play_text
from sevenhues.protocol import Replay, Update
from tests.server.play import DEADLINE_SECONDS, play_on, start_game, wait_until
from tests.server.process import ServerProcess
from tests.server.sample_records import sample_record

pytestmark = pytest.mark.anyio
GAMES = sorted(registry.names())
OPENED = [name for name in GAMES if type(registry.load(name)).full_view is not Game.full_view]  # show more in a replay


def views(replay: Replay) -> list[Any]:
    return [json.loads(bytes(frame.view)) for frame in replay.frames]


async def all_views(person: Client, table: str, view: int | str) -> list[Any]:
    """Fetch all views of a replay, page by page."""
    fetched: list[Any] = []
    while True:
        page = await person.replay(table, view, len(fetched), 60)
        assert [frame.ply for frame in page.frames] == list(range(len(fetched), len(fetched) + len(page.frames)))
        fetched += views(page)
        if page.more is None:
            assert len(fetched) == len(page.moves) + 1
            return fetched
        assert page.more == len(fetched)


async def play_and_watch(server: ServerProcess, name: str) -> tuple[str, dict[int, dict[int, Any]]]:
    """Play a game of two players with a watcher; return the views that each received, by viewer and ply."""
    shown: dict[int, dict[int, Any]] = {-1: {}, 0: {}, 1: {}}
    async with Client(server.url, "Ada") as ada, Client(server.url, "Mira") as mira, Client(server.url) as eve:
        table = await ada.create_table(name, ["me", "open"])
        await mira.join(table.id)
        connected: list[Client] = []
        watching = [asyncio.create_task(_watch(person, table.id, shown, connected)) for person in (ada, mira, eve)]
        await wait_until(lambda: len(connected) == len(watching))  # before the first move is made
        async with ada.live(table.id) as first, mira.live(table.id) as second:
            await asyncio.gather(
                play_on(first, random.Random(1), pause=0.002), play_on(second, random.Random(2), pause=0.002)
            )
        await asyncio.gather(*watching)
    return table.id, shown


async def _watch(person: Client, table: str, shown: dict[int, dict[int, Any]], connected: list[Client]) -> None:
    """Collect every view that a person receives until the game is over; add the person once connected."""
    async with person.live(table) as live:
        async for message in live.messages():
            if person not in connected:
                connected.append(person)
            if isinstance(message, Update):
                for view in message.views:
                    shown[view.seat][message.ply] = json.loads(bytes(view.view))
                if message.result is not None:
                    return


@pytest.mark.parametrize("name", GAMES)
async def test_frames_equal_the_views_that_viewers_received(server: ServerProcess, name: str) -> None:
    table, shown = await play_and_watch(server, name)
    async with Client(server.url) as person:
        for viewer, seen in shown.items():
            replayed = await all_views(person, table, "watcher" if viewer < 0 else viewer)
            # A viewer who reads too slowly is dropped and reconnects, and so may miss some moments.
            assert {0, len(replayed) - 1} <= seen.keys()
            assert len(seen) > len(replayed) / 2
            for ply, view in seen.items():
                assert view == replayed[ply], ply
        page = await person.replay(table, 0)
        info = await person.table(table)
        played = record.read(await person.record(table))
    assert info.result is not None
    assert [(move.seat, move.text, move.at) for move in page.moves] == [tuple(move) for move in played.moves]
    assert [frame.turn == [] for frame in page.frames].count(True) == (page.more is None)


@pytest.mark.parametrize("name", OPENED)
async def test_open_replay_shows_hidden_information(server: ServerProcess, name: str) -> None:
    async with Client(server.url) as person:
        table = await person.upload(sample_record(name))
        opened, closed = await all_views(person, table.id, "everything"), await all_views(person, table.id, "watcher")
    game, positions = registry.load(name), record.replay(record.read(sample_record(name)))
    assert opened == [game.full_view(position) for position in positions]
    assert opened[0] != closed[0]


async def test_unfinished_game_has_no_replay(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:random"])
        async with ada.live(table.id) as live:
            await start_game(live)
            for view in (0, 1, "watcher", "everything"):
                with pytest.raises(Refused) as refused:
                    await ada.replay(table.id, view)
                assert refused.value.key == "not-over"
            with pytest.raises(Refused) as refused:
                await ada.branch(table.id, 0, 0)
            assert refused.value.key == "not-over"
            await live.resign(0)
            await wait_until(lambda: live.table is not None and live.table.result is not None)
        assert len((await ada.replay(table.id, "everything")).frames) == 1 + (await ada.table(table.id)).ply
        for wrong, key in {"2": "no-seat", "-1": "no-view", "nobody": "no-view"}.items():
            with pytest.raises(Refused) as refused:
                await ada.replay(table.id, wrong)
            assert refused.value.key == key
        with pytest.raises(Refused) as refused:
            await ada.replay(table.id, 0, 900)
        assert refused.value.key == "no-ply"


async def test_page_of_a_replay_is_compressed_and_cached(server: ServerProcess) -> None:
    async with Client(server.url) as person:
        table = await person.upload(sample_record("nimble"))
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        path = f"/api/tables/{table.id}/replay?view=everything&most=200"
        first = await http.get(path)
        assert first.headers["content-encoding"] == "gzip"
        assert int(first.headers["content-length"]) < len(first.content) / 8
        plain = await http.get(path, headers={"accept-encoding": "identity"})
        assert plain.content == first.content
        again = await http.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", GAMES)
async def test_uploaded_record_becomes_a_finished_table(server: ServerProcess, name: str) -> None:
    text = sample_record(name, names=["Ada", "bot:player"])
    async with Client(server.url, "Eve") as eve, Client(server.url) as other:
        table = await eve.upload(text)
        assert table.imported
        assert table.status == "finished"
        assert (table.proof, table.your_seats, table.branch) == (None, [], None)
        assert [(seat.kind, seat.name, seat.level) for seat in table.seats] == [
            ("person", "Ada", None),
            ("bot", None, "player"),
        ]
        assert table.id in [listed.id for listed in await eve.tables("mine")]
        assert len(await all_views(other, table.id, 1)) == table.ply + 1
        back = record.read(await other.record(table.id))
    assert back.moves == record.read(text).moves
    assert back.extra == {"imported": True}
    assert not verify_deal(back)


OFFLINE_ID = "offline-amber-otter-2k4m7q8"


async def finished_game(person: Client, name: str, seats: int) -> tuple[str, int]:
    """Start a game against bots and resign; return its record, with the proof of its deal, and the number of moves."""
    table = await person.create_table(name, ["me", *["bot:random"] * (seats - 1)])
    async with person.live(table.id) as live:
        await start_game(live)
        await live.resign(0)
    return await person.record(table.id), (await person.table(table.id)).ply


@pytest.mark.parametrize("name", GAMES)
async def test_game_played_offline_is_uploaded_once_with_its_proof(server: ServerProcess, name: str) -> None:
    async with Client(server.url, "Eve") as eve, Client(server.url) as other:
        text, ply = await finished_game(eve, name, 2)
        first, *again = [await eve.upload(text, OFFLINE_ID) for _ in range(3)]
        assert (first.imported, first.played_offline, first.unrated, first.your_seats) == (True, True, "offline", [])
        assert (first.status, first.ply, first.proof) == ("finished", ply, None)
        assert [table.id for table in again] == [first.id] * 2
        assert [table.id for table in await eve.tables("mine")].count(first.id) == 1
        back = record.read(await other.record(first.id))
        assert back.extra == {"imported": True, "played_offline": True, "deal": record.read(text).extra["deal"]}
        proven = verify_deal(back)
        assert proven is not None
        assert proven.committed
        # The same id on another person's device is another game.
        assert (await other.upload(text, OFFLINE_ID)).id != first.id
        assert not (await other.upload(text)).played_offline


async def test_puzzle_played_offline_keeps_its_seed(server: ServerProcess) -> None:
    async with Client(server.url) as person:
        text, _ = await finished_game(person, "flip-and-slide", 1)
        back = record.read(await person.record((await person.upload(text, OFFLINE_ID)).id))
    assert verify_deal(back)
    assert back.extra["deal"] == record.read(text).extra["deal"]


async def test_upload_of_an_offline_game_is_refused_with_a_wrong_proof_or_id(server: ServerProcess) -> None:
    async with Client(server.url) as person:
        text, _ = await finished_game(person, "rainbow", 2)
        fields = json.loads(text)
        fields["deal"]["secret"] = "00" * 32
        for changed, offline_id, key in [
            (json.dumps(fields), OFFLINE_ID, "invalid-record"),
            (json.dumps(fields | {"deal": {}}), OFFLINE_ID, "bad-record"),
            *((text, wrong, "bad-request") for wrong in ("amber-otter-2k4m7q8", "offline-", "offline-A b c d e f")),
        ]:
            with pytest.raises(Refused) as refused:
                await person.upload(changed, offline_id)
            assert refused.value.key == key
        assert [table.imported for table in await person.tables("mine")] == [False]


async def test_simultaneous_uploads_of_an_offline_game_make_one_table(server: ServerProcess) -> None:
    async with Client(server.url) as person:
        text, _ = await finished_game(person, "rainbow", 2)
        uploads = await asyncio.gather(*(person.upload(text, OFFLINE_ID) for _ in range(8)))
        assert len({table.id for table in uploads}) == 1
        assert len(await person.tables("mine")) == 2


@pytest.mark.parametrize(("reason", "winners"), [("resigned", [1]), ("timeout", [0]), ("abandoned", [])])
async def test_early_end_of_a_record_is_imported(server: ServerProcess, reason: str, winners: list[int]) -> None:
    found = record.read(sample_record("rainbow"))
    found.moves, found.result = found.moves[:4], None
    *_, position = record.replay(found)
    found.result = {"reason": reason, "scores": position.scores(), "winners": winners}
    async with Client(server.url) as person:
        table = await person.upload(record.write(found))
        assert table.result is not None
        assert (table.result.reason, table.result.winners) == (reason, winners)
        assert (await person.replay(table.id)).frames[-1].turn == position.to_act()
        again = await person.branch(table.id, table.ply, 0, "random")
        assert (again.status, again.result) == ("playing", None)
        found.result["winners"] = [0, 1]
        with pytest.raises(Refused) as refused:
            await person.upload(record.write(found))
    assert refused.value.key == "invalid-record"


async def test_invalid_record_is_refused_with_the_reason(server: ServerProcess) -> None:
    good = json.loads(sample_record("rainbow"))
    without = {key: value for key, value in good.items() if key != "result"}
    async with Client(server.url) as person:
        changes: list[tuple[dict[str, Any], str, str]] = [
            ({"game": "chess"}, "bad-record", "chess"),
            ({"moves": ["0 Z9"]}, "bad-record", "moves[0]"),
            ({"moves": ["0 E"]}, "invalid-record", "may not play"),
            ({"result": {**good["result"], "scores": [0, 0]}}, "invalid-record", "scores"),
        ]
        for change, key, what in changes:
            with pytest.raises(Refused) as refused:
                await person.upload(json.dumps({**good, **change}))
            assert (refused.value.key, what in refused.value.text) == (key, True), refused.value.text
        for text, key in {
            "not JSON": "bad-record",
            "": "bad-record",
            json.dumps({**without, "moves": good["moves"][:5]}): "unfinished-record",
            json.dumps({**good, "more": "x" * 70_000}): "too-big",
        }.items():
            with pytest.raises(Refused) as refused:
                await person.upload(text)
            assert refused.value.key == key
        assert await person.tables("mine") == []


@pytest.mark.parametrize("name", GAMES)
async def test_branch_is_played_to_its_end(server: ServerProcess, name: str) -> None:
    text = sample_record(name, seed=3)
    async with Client(server.url, "Ada") as ada:
        past = await ada.upload(text)
        ply = past.ply // 3
        table = await ada.branch(past.id, ply, 1, "random")
        assert table.status == "playing"
        assert table.branch is not None
        assert (table.branch.table, table.branch.ply, table.your_seats, table.ply >= ply) == (past.id, ply, [1], True)
        async with ada.live(table.id) as live:
            await play_on(live, random.Random(5))
            await wait_until(lambda: live.table is not None and live.table.status == "finished", 2 * DEADLINE_SECONDS)
        found = record.read(await ada.record(table.id))
        again = await ada.table(table.id)
    assert again.proof is None
    assert found.moves[:ply] == record.read(text).moves[:ply]
    assert len(found.moves) > ply
    assert [*record.replay(found)][-1].outcome() is not None
    assert found.extra == {"branch": {"table": past.id, "ply": ply}}
    assert found.seats == ["bot:random", "Ada"]


async def test_impossible_branches_are_refused(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        past = await ada.upload(sample_record("rainbow"))
        for ply, seat, level, key in [
            (past.ply, 0, None, "ended-there"),
            (past.ply + 1, 0, None, "no-ply"),
            (0, 2, None, "no-seat"),
            (0, 0, "grandmaster", "no-bot"),
        ]:
            with pytest.raises(Refused) as refused:
                await ada.branch(past.id, ply, seat, level)
            assert refused.value.key == key


async def test_branch_of_a_puzzle_is_played_alone(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        past = await ada.upload(sample_record("flip-and-slide", seats=1))
        table = await ada.branch(past.id, 2, 0)
        assert [seat.kind for seat in table.seats] == ["person"]
        game = registry.load("flip-and-slide")
        position = game.start(
            json.loads(sample_record("flip-and-slide", seats=1))["setup"], 1, resolve_options(game, {})
        )
        for move in (await ada.replay(past.id)).moves[:2]:
            play_text(game, position, move.seat, move.text)
        async with ada.live(table.id) as live:
            await wait_until(lambda: live.update is not None)
            assert sorted(live.seat_view().legal) == legal_texts(game, position, 0)
