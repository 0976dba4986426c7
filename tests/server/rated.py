"""Short games that count, and all that is kept of them."""

import asyncio
from typing import Any

from sevenhues.client import Client, Live
from sevenhues.server.store import ratings
from sevenhues.server.store.steps import Steps
from tests.server.play import until

ADA, BEN, ZOE = "a" * 32, "b" * 32, "c" * 32
Rows = dict[str, list[tuple[Any, ...]]]


def everything() -> Steps[Rows]:
    found = {}
    for name in ratings.TABLES:
        found[name] = sorted((yield f"SELECT * FROM {name}", ()), key=str)
    return found


async def begun(live: Live) -> None:
    await live.ready()
    await until(lambda: live.update is not None)


async def resigned(winner: Client, loser: Client, **more: Any) -> str:
    """Play a short game, in which one move is made; return the table's id."""
    table = await winner.lay("rainbow", ["me", "open"], **more)
    await loser.join(table.id)
    async with winner.live(table.id) as first, loser.live(table.id) as second:
        await asyncio.gather(begun(first), begun(second))
        live = next(live for live in (first, second) if live.eye().legal)
        await live.move(live.eye().legal[0])
        await second.resign(1)
    return table.id
