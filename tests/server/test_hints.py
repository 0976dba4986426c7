"""Hints over the API: to whom, where, and from what."""

import asyncio

import pytest

from sevenhues.client import Client, Refused
from tests.server.play import until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


async def refused(client: Client, table: str, seat: int) -> str:
    with pytest.raises(Refused) as error:
        await client.hint(table, seat)
    return error.value.key


@pytest.mark.parametrize("game", ["rainbow", "rainbow-road", "flip-and-slide", "nimble"])
async def test_a_player_is_told_legal_moves_and_their_chances(server: ServerProcess, game: str) -> None:
    async with Client(server.url) as ada:
        table = await ada.lay(game, ["me", "me:Ben"], hints=True)
        assert table.hints
        async with ada.live(table.id) as live:
            await live.ready()
            await until(lambda: live.update is not None)
            assert live.update is not None
            seat = live.update.turn[0]
            await live.look(seat)
            await until(lambda: live.update is not None and live.update.eyes[0].seat == seat)
            told = await ada.hint(table.id, seat)
            assert told.ply == 0
            assert {move.text for move in told.moves} <= set(live.eye(seat).legal)
            assert 0 < len(told.moves) <= 3
            assert (await ada.table(table.id)).ply == 0


async def test_hints_are_for_ones_own_seat_in_its_turn_where_the_table_has_them(server: ServerProcess) -> None:
    async with Client(server.url) as ada, Client(server.url) as ben:
        table = await ada.lay("rainbow", ["me", "me:Ada again"], hints=True)
        assert await refused(ada, table.id, 0) == "not-started"
        without = await ada.lay("rainbow", ["me", "me:Ada again"])
        turns = {}
        for id in (table.id, without.id):
            async with ada.live(id) as live:
                await live.ready()
                await until(lambda live=live: live.update is not None)
                assert live.update is not None
                turns[id] = live.update.turn[0]
        turn = turns[table.id]
        assert await refused(ada, table.id, 1 - turn) == "not-your-turn"
        assert await refused(ben, table.id, turn) == "not-your-seat"
        assert await refused(ada, table.id, 5) == "no-seat"
        assert await refused(ada, without.id, turns[without.id]) == "no-hints"
        async with ada.live(table.id) as live:
            await live.resign(0)
        assert await refused(ada, table.id, turn) == "over"


async def test_a_rematch_has_hints_too(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        table = await ada.lay("rainbow", ["me", "bot:random"], hints=True)
        async with ada.live(table.id) as live:
            await live.ready()
            await until(lambda: live.update is not None)
            await live.resign(0)
            await live.rematch()
            await until(lambda: live.table is not None and live.table.next is not None)
            assert live.table is not None
            assert (await ada.table(str(live.table.next))).hints


async def test_many_asked_at_once_all_answer_soon(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        tables = [await ada.lay("rainbow", ["me", "me:Ben"], hints=True) for _ in range(12)]
        turns = []
        for table in tables:
            async with ada.live(table.id) as live:
                await live.ready()
                await until(lambda live=live: live.update is not None)
                assert live.update is not None
                turns.append(live.update.turn[0])
        pairs = zip(tables, turns, strict=True)
        told = await asyncio.gather(*[ada.hint(table.id, turn) for table, turn in pairs])
        assert all(advised.moves for advised in told)
