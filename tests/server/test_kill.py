"""kill -9 at random moments under play: no acknowledged move is lost, none counts twice, every game goes on."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from sevenhues.client import Client, Live
from sevenhues.core import record
from sevenhues.core.proof import prove
from tests.server.play import play_on
from tests.server.process import ServerProcess

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
KILLS = 12
TABLES: tuple[tuple[str, list[str], dict[str, Any]], ...] = (
    ("rainbow", ["me", "open"], {"clock": {"kind": "bank", "seconds": 3600, "increment": 1}}),
    ("rainbow-road", ["me", "open"], {}),
    ("flip-and-slide", ["me", "open"], {"clock": {"kind": "move", "seconds": 600}}),
    ("rainbow", ["me", "bot:seedling"], {}),
    ("nimble", ["me", "open"], {}),
)


async def test_kill_9_many_times(data: Path) -> None:
    chance = random.Random(2026)
    going = True
    with ServerProcess(data) as server:
        async with Client(server.url, "Ada") as ada, Client(server.url, "Ben") as ben:
            lives: list[tuple[str, Live]] = []
            for game, seats, more in TABLES:
                table = await ada.lay(game, seats, **more)
                lives.append((table.id, ada.live(table.id)))
                if "open" in seats:
                    await ben.join(table.id)
                    lives.append((table.id, ben.live(table.id)))
            for _, live in lives:
                await live.__aenter__()

            async def kill() -> int:
                kills = 0
                while going and kills < KILLS:
                    await asyncio.sleep(chance.uniform(0.05, 0.6))
                    await asyncio.to_thread(server.kill)
                    await asyncio.to_thread(server.start)
                    kills += 1
                return kills

            async def slowly(live: Live, seed: int) -> list[tuple[int, int, str]]:
                stood: list[tuple[int, int, str]] = []
                chance = random.Random(seed)
                while live.update is None or live.update.result is None:
                    stood += await play_on(live, chance, most=5)
                    await asyncio.sleep(0.05)
                return stood

            killer = asyncio.create_task(kill())
            async with asyncio.timeout(240):
                told = await asyncio.gather(*[slowly(live, i) for i, (_, live) in enumerate(lives)])
            going = False
            assert await killer >= 5, "the games were over before the server had died often enough"
            for id in dict.fromkeys(id for id, _ in lives):
                found = record.read(await ada.record(id))
                assert [*record.replay(found)][-1].outcome() is not None, "it was played to its end"
                assert prove(found)
                # Every move of a person stands where its client was told it does, once; there are no others.
                told_here = [moves for (at, _), moves in zip(lives, told, strict=True) if at == id]
                stood = sorted(move for moves in told_here for move in moves)
                people = [seat for seat, name in enumerate(found.seats) if not name.startswith("bot:")]
                moves = [(ply + 1, move.seat, move.text) for ply, move in enumerate(found.moves)]
                assert stood == [move for move in moves if move[1] in people]
            for _, live in lives:
                assert live.proven()
                await live.__aexit__(None, None, None)
    # A worker that was just starting may complain of its parent's death; the server itself has nothing to complain of.
    assert '"level": "error"' not in server.log.read_text()
