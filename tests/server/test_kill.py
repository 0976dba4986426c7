"""A server is killed at random moments: no acknowledged move is lost or stored twice, and every game continues."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from sevenhues.client import Client, Live
from tests.server.kills import Rounds, check_moves
from tests.server.process import ServerProcess

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
Tables = tuple[tuple[str, list[str], dict[str, Any]], ...]
SHORT: Tables = (
    ("rainbow", ["me", "open"], {"clock": {"kind": "bank", "seconds": 3600, "increment": 1}}),
    ("rainbow-road", ["me", "open"], {}),
    ("rainbow", ["me", "bot:seedling"], {}),
)
ALL: Tables = (
    *SHORT,
    ("flip-and-slide", ["me", "open"], {"clock": {"kind": "move", "seconds": 600}}),
    ("nimble", ["me", "open"], {}),
)


@pytest.mark.parametrize(("kills", "tables"), [(2, SHORT), pytest.param(15, ALL, marks=pytest.mark.long)])
async def test_killed_server_loses_no_acknowledged_move(data: Path, kills: int, tables: Tables) -> None:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(ServerProcess(data))
        ada = await stack.enter_async_context(Client(server.url, "Ada"))
        ben = await stack.enter_async_context(Client(server.url, "Ben"))
        players: list[tuple[str, Live]] = []
        for game, seats, settings in tables:
            table = await ada.create_table(game, seats, **settings)
            players.append((table.id, await stack.enter_async_context(ada.live(table.id))))
            if "open" in seats:
                await ben.join(table.id)
                players.append((table.id, await stack.enter_async_context(ben.live(table.id))))

        async def kill(_: int) -> None:
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)

        acknowledged = await Rounds([live for _, live in players], 2026).play(kills, kill)
        for id in dict.fromkeys(id for id, _ in players):
            await check_moves(
                ada, id, [moves for (at, _), moves in zip(players, acknowledged, strict=True) if at == id]
            )
        assert all(live.proven() for _, live in players)
    # A worker that is starting may log that its parent died; the server itself has nothing to log.
    assert '"level": "error"' not in server.logged()
