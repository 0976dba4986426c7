"""Hints over the API: who may ask for them, where, and what they contain."""

import asyncio

import pytest

from sevenhues import names
from sevenhues.client import Client, Refused
from tests.server.play import seat_to_act, select_view, start_game, wait_until
from tests.server.process import ServerProcess

pytestmark = pytest.mark.anyio


async def refusal(client: Client, table: str, seat: int) -> str:
    with pytest.raises(Refused) as error:
        await client.hint(table, seat)
    return error.value.key


@pytest.mark.parametrize("game", names())
async def test_hint_names_legal_moves(server: ServerProcess, game: str) -> None:
    async with Client(server.url) as ada:
        table = await ada.create_table(game, ["me", "me:Ben"], hints=True)
        assert table.hints
        async with ada.live(table.id) as live:
            await start_game(live)
            seat = seat_to_act(live)
            await select_view(live, seat)
            hint = await ada.hint(table.id, seat)
            assert hint.ply == 0
            assert {move.text for move in hint.moves} <= set(live.seat_view(seat).legal)
            assert 0 < len(hint.moves) <= 3
            assert (await ada.table(table.id)).ply == 0


async def test_hint_is_for_a_seat_of_ones_own_in_its_turn_at_a_table_with_hints(server: ServerProcess) -> None:
    async with Client(server.url) as ada, Client(server.url) as ben:
        table = await ada.create_table("rainbow", ["me", "me:Ada again"], hints=True)
        assert await refusal(ada, table.id, 0) == "not-started"
        without = await ada.create_table("rainbow", ["me", "me:Ada again"])
        turns = {}
        for id in (table.id, without.id):
            async with ada.live(id) as live:
                await start_game(live)
                turns[id] = seat_to_act(live)
        turn = turns[table.id]
        assert await refusal(ada, table.id, 1 - turn) == "not-your-turn"
        assert await refusal(ben, table.id, turn) == "not-your-seat"
        assert await refusal(ada, table.id, 5) == "no-seat"
        assert await refusal(ada, without.id, turns[without.id]) == "no-hints"
        async with ada.live(table.id) as live:
            await live.resign(0)
        assert await refusal(ada, table.id, turn) == "over"


async def test_rematch_has_hints_too(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        table = await ada.create_table("rainbow", ["me", "bot:random"], hints=True)
        async with ada.live(table.id) as live:
            await start_game(live)
            await live.resign(0)
            await live.rematch()
            await wait_until(lambda: live.table is not None and live.table.next is not None)
            assert live.table is not None
            assert (await ada.table(str(live.table.next))).hints


async def test_many_hints_at_once_are_all_answered(server: ServerProcess) -> None:
    async with Client(server.url) as ada:
        tables = [await ada.create_table("rainbow", ["me", "me:Ben"], hints=True) for _ in range(12)]
        turns = []
        for table in tables:
            async with ada.live(table.id) as live:
                await start_game(live)
                turns.append(seat_to_act(live))
        pairs = zip(tables, turns, strict=True)
        hints = await asyncio.gather(*[ada.hint(table.id, turn) for table, turn in pairs])
        assert all(hint.moves for hint in hints)
