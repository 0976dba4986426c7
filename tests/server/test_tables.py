"""Tables over the API: creating, joining, playing, resigning, rematches, lists."""

import asyncio
import json
import random
from unittest.mock import AsyncMock

import pytest

from sevenhues.client import Client, Refused
from sevenhues.core import record
from sevenhues.core.deal_proof import verify_deal
from sevenhues.protocol import Proof
from tests.cli.command import sevenhues
from tests.server.play import play_on, seat_to_act, select_view, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("game", "seats", "others"),
    [
        ("rainbow", ["me", "open"], 1),
        ("rainbow-road", ["open", "me"], 1),
        ("flip-and-slide", ["me", "open", "open"], 2),
    ],
)
async def test_players_play_a_whole_game(server: ServerProcess, game: str, seats: list[str], others: int) -> None:
    people = [Client(server.url, f"Player {i}") for i in range(others + 1)]
    for person in people:
        await person.__aenter__()
    table = await people[0].create_table(game, seats)
    for person in people[1:]:
        await person.join(f"{server.url}/t/{table.id}")
    lives = [person.live(table.id) for person in people]
    for live in lives:
        await live.__aenter__()
    moves = await asyncio.gather(*[play_on(live, random.Random(i)) for i, live in enumerate(lives)])
    await wait_until(lambda: all(live.table is not None and live.table.status == "finished" for live in lives))
    played = record.read(await people[0].record(table.id))
    assert [(i + 1, move.seat, move.text) for i, move in enumerate(played.moves)] == sorted(
        move for own in moves for move in own
    )
    assert [*record.replay(played)][-1].outcome() is not None
    assert verify_deal(played)
    assert all(live.proven() for live in lives)
    assert all([await live.prove() for live in lives])
    for live in lives:
        await live.__aexit__(None, None, None)
    for person in people:
        await person.__aexit__(None, None, None)


async def test_player_plays_a_bot(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["bot:seedling", "me"])
        async with ada.live(table.id) as live:
            await play_on(live, random.Random(1))
            assert live.update is not None
            assert live.update.result is not None
            played = record.read(await ada.record(table.id))
    assert played.seats == ["bot:seedling", "Ada"]
    assert {move.seat for move in played.moves} == {0, 1}


async def test_client_rejects_a_proof_with_any_change(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:random"])
        async with ada.live(table.id) as live:
            with pytest.raises(LookupError):
                live.seat_view()
            assert not await live.prove()
            await start_game(live)
            await live.resign(0)
            await wait_until(lambda: live.table is not None and live.table.proof is not None)
            assert live.table is not None
            assert live.table.proof is not None
            assert await live.prove()
            proof = live.table.proof
            for secret, entropies in [
                ("00" * 32, proof.entropies),
                (proof.secret, ["somebody-else-s"]),
                # With an entropy of its own the server could have chosen the deal, knowing all others.
                (proof.secret, [*proof.entropies, "chosen-by-the-server"]),
                (proof.secret, [*proof.entropies, *proof.entropies]),
            ]:
                live.table.proof = Proof(secret, entropies)
                assert not live.proven()
                assert not await live.prove()
            live.table.proof = proof
            text = json.loads(await ada.record(table.id))
            for key, value in [
                ("setup", {**text["setup"], "first": 1 - text["setup"]["first"]}),
                ("deal", {**text["deal"], "entropies": []}),
                ("deal", None),
            ]:
                changed = json.dumps({**text, key: value})
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(ada, "record", AsyncMock(return_value=changed))
                    assert not await live.prove()


async def test_solo_game_is_played_and_resigned(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("flip-and-slide", ["me"])
        async with ada.live(table.id) as live:
            await play_on(live, random.Random(1), max_moves=1)
            await live.resign(0)
            await wait_until(lambda: live.table is not None and live.table.status == "finished")
            assert live.table is not None
            assert live.table.result is not None
            assert (live.table.result.reason, live.table.result.winners) == ("resigned", [])


async def test_deal_waits_until_every_player_is_ready(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"])
        async with ada.live(table.id) as first:
            await first.ready()
            await ben.join(table.id)
            await wait_until(lambda: first.table is not None and first.table.seats[1].name == "Ben")
            assert first.table is not None
            assert first.table.status == "waiting"
            async with ben.live(table.id) as second:
                await second.ready()
                await wait_until(lambda: first.update is not None)
                assert first.update is not None
                assert len(first.update.turn) == 1


async def test_table_with_manual_start_is_started_by_its_owner(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"], manual_start=True)
        async with ada.live(table.id) as first:
            with pytest.raises(Refused, match="1 still open") as refused:
                await first.start()
            assert refused.value.key == "not-full"
            await ben.join(table.id)
            async with ben.live(table.id) as second:
                await first.ready()
                with pytest.raises(Refused) as refused:
                    await first.start()
                assert refused.value.key == "not-ready"
                await second.ready()
                with pytest.raises(Refused) as refused:
                    await second.start()
                assert refused.value.key == "not-your-table"
                await first.start()
                await wait_until(lambda: second.update is not None)


async def test_seat_is_taken_left_and_given_to_a_bot(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        with pytest.raises(Refused) as refused:
            await ben.join(table.id)
        assert refused.value.key == "seated-already"
        with pytest.raises(Refused) as refused:
            await ben.leave(table.id, 0)
        assert refused.value.key == "not-your-seat"
        with pytest.raises(Refused) as refused:
            await ada.seat_bot(table.id, 1, "master")
        assert refused.value.key == "seat-taken"
        assert (await ben.leave(table.id, 1)).seats[1].kind == "open"
        with pytest.raises(Refused) as refused:
            await ben.seat_bot(table.id, 1, "master")
        assert refused.value.key == "not-your-table"
        with pytest.raises(Refused, match="its bots: random") as refused:
            await ada.seat_bot(table.id, 1, "wizard")
        assert refused.value.key == "no-bot"
        changed = await ada.seat_bot(table.id, 1, "master")
        assert (changed.seats[1].kind, changed.seats[1].level) == ("bot", "master")
        with pytest.raises(Refused) as refused:
            await ben.join(table.id)
        assert refused.value.key == "table-full"


async def test_shared_device_has_two_seats_and_looks_through_one_at_a_time(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me:Ada", "me:Jonas"])
        assert [seat.name for seat in table.seats] == ["Ada", "Jonas"]
        assert table.your_seats == [0, 1]
        async with ada.live(table.id) as live:
            await start_game(live)
            # Until a seat is chosen, the client is sent the view of a watcher, without legal moves.
            assert live.view()["viewer"] == -1
            assert live.seat_view().legal == []
            first = seat_to_act(live)
            await select_view(live, first)
            assert live.view()["viewer"] == first
            await live.move("S1", first)
            await select_view(live, 1 - first)
            assert live.view()["viewer"] == 1 - first
            assert live.seat_view().legal == []


async def test_user_who_leaves_one_of_two_seats_stays_ready(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("flip-and-slide", ["me", "me", "open"])
        async with ada.live(table.id) as first:
            await first.ready()
            assert (await ada.leave(table.id, 1)).seats[0].ready
            assert (await ada.join(table.id, 1, "Jonas")).seats[1].ready
            await ada.leave(table.id, 1)
            await ada.leave(table.id, 0)
            assert not (await ada.join(table.id, 1)).seats[1].ready, "a user who left both seats has to get ready again"
            await ben.join(table.id, 0)
            await ada.seat_bot(table.id, 2, "random")
            async with ben.live(table.id) as second:
                await start_game(first, second)


async def test_rematch_after_a_resignation_has_the_other_player_begin(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("rainbow", ["me", "open"])
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await start_game(first, second)
            with pytest.raises(Refused) as refused:
                await second.rematch()
            assert refused.value.key == "not-over"
            with pytest.raises(Refused) as refused:
                await second.resign(0)
            assert refused.value.key == "not-your-seat"
            await second.resign(1)
            await wait_until(lambda: first.table is not None and first.table.result is not None)
            assert first.table is not None
            assert first.table.result is not None
            assert (first.table.result.reason, first.table.result.winners, first.table.result.seat) == (
                "resigned",
                [0],
                1,
            )
            await first.rematch()
            await wait_until(lambda: second.table is not None and second.table.seats[0].rematch)
            await second.rematch()
            await wait_until(lambda: first.table is not None and first.table.next is not None)
            following = await ada.table(str(first.table.next))
        assert [seat.name for seat in following.seats] == ["Ben", "Ada"]
        assert following.previous == table.id
        assert following.commitment != table.commitment
        async with ada.live(following.id) as first, ben.live(following.id) as second:
            await start_game(first, second)
            await second.resign(0)
            await wait_until(lambda: first.table is not None and first.table.proof is not None)
            assert first.table is not None
            assert first.table.proof is not None
            # Ada won, and has seat 1 now.
            assert first.table.proof.previous == [1]


async def test_bot_takes_over_from_one_of_three_who_resigns(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("flip-and-slide", ["me", "bot:random", "bot:random"])
        async with ada.live(table.id) as live:
            await start_game(live)
            await live.resign(0)
            await wait_until(lambda: live.table is not None and live.table.seats[0].level is not None)
            await wait_until(lambda: live.update is not None and live.update.ply > 5)
            with pytest.raises(Refused) as refused:
                await live.move("@0,0", 0)
            assert refused.value.key == "not-your-seat"


async def test_lists_have_public_tables_for_all_and_private_tables_for_players(each_server: ServerProcess) -> None:
    async with Client(each_server.url, "Ada") as ada, Client(each_server.url, "Ben") as ben:
        shown = await ada.create_table("rainbow", ["me", "open"], public=True)
        hidden = await ada.create_table("rainbow", ["me", "open"])
        assert {shown.id, hidden.id} <= {table.id for table in await ada.tables("mine")}
        open_ids = [table.id for table in await ben.tables("open", "rainbow")]
        assert shown.id in open_ids
        assert hidden.id not in open_ids
        assert await ben.tables("mine") == []
        assert shown.id not in [table.id for table in await ben.tables("open", "nimble")]
        await ben.join(shown.id)
        async with ada.live(shown.id) as first, ben.live(shown.id) as second:
            await start_game(first, second)
            live = {table.id: table for table in await ben.tables("live")}
            assert len(live[shown.id].turn) == 1
            await first.resign(0)
            await wait_until(lambda: second.table is not None and second.table.status == "finished")
        assert shown.id in [table.id for table in await ben.tables("finished")]
        assert shown.id in [table.id for table in await ben.tables("mine")]


async def test_unfinished_game_has_no_record(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada:
        table = await ada.create_table("rainbow", ["me", "bot:random"])
        with pytest.raises(Refused) as refused:
            await ada.record(table.id)
        assert refused.value.key == "not-over"
        assert table.proof is None


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"game": "chess", "seats": [{"kind": "me"}]}, "there is no game 'chess'"),
        ({"game": "rainbow", "seats": [{"kind": "me"}]}, "Rainbow is for 2 seats, not 1"),
        ({"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "cat"}]}, "Invalid enum value 'cat'"),
        ({"game": "rainbow", "seats": [{"kind": "me"}, {"kind": "bot", "level": "wizard"}]}, "no bot 'wizard'"),
        ({"game": "rainbow", "seats": [{"kind": "me"}] * 2, "options": {"speed": 1}}, "no option 'speed'"),
        ({"game": "nimble", "seats": [{"kind": "me"}] * 2, "clock": {"kind": "move"}}, "no clock"),
        ({"game": "rainbow", "seats": [{"kind": "me"}] * 2, "clock": {"kind": "move", "seconds": 0}}, ">= 1"),
        ({"game": "rainbow", "seats": [{"kind": "me"}] * 2, "extra": 1}, "unknown field `extra`"),
        (["rainbow"], "Expected `object`"),
    ],
)
async def test_impossible_table_is_refused_with_the_reason(server: ServerProcess, body: object, reason: str) -> None:
    async with Client(server.url) as ada:
        answer = await ada._http.post("/api/tables", json=body)
    assert answer.status_code in (400, 404)
    assert reason in json.loads(answer.content)["text"]


async def test_missing_table_is_not_found(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        for name in ("no-such-table", "x" * 300, "..%2f..%2fetc%2fpasswd", "%ff"):
            answer = await ada._http.get(f"/api/tables/{name}")
            assert answer.status_code == 404, name
            assert "text" in answer.json()


async def test_puzzle_is_dealt_from_a_seed_that_can_be_shared(server: ServerProcess) -> None:
    async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
        table = await ada.create_table("flip-and-slide", ["me"])
        assert table.seed is not None
        same = await ben.create_table("flip-and-slide", ["me"], seed=table.seed)
        assert same.seed == table.seed
        records = []
        for person, id in ((ada, table.id), (ben, same.id)):
            async with person.live(id) as live:
                await start_game(live)
                await live.resign(0)
                records.append(record.read(await person.record(id)))
        assert records[0].setup == records[1].setup
        assert all(verify_deal(played) for played in records)
        dealt = json.loads(sevenhues("deal", "flip-and-slide", "--seats", "1", "--seed", table.seed).stdout)
        assert dealt["setup"] == records[0].setup
        for seats, seed, key in ((["me", "me"], "4K7", "seed-for-one"), (["me"], "a b", "bad-request")):
            body = {"game": "flip-and-slide", "seats": [{"kind": seat} for seat in seats], "seed": seed}
            answer = await ada._http.post("/api/tables", json=body)
            assert (answer.status_code, answer.json()["key"]) == (400, key)
