"""A server is killed between moves and their messages: no message is lost, and none is repeated for long."""

import asyncio
import random
from pathlib import Path

import pytest

from tests.server.notified_players import LOOPBACK, join_and_start, of_kind, play_turn, players, subscribe
from tests.server.play import wait_until
from tests.server.process import ServerProcess
from tests.server.push_service import serving_pushes

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SEED = 29
MAX_DELAY_SECONDS = 0.8  # from a move to the kill: its message is sent after half a second


@pytest.mark.parametrize("kills", [8, pytest.param(100, marks=pytest.mark.long)])
async def test_killed_server_loses_no_message(data: Path, kills: int) -> None:
    rng = random.Random(SEED)
    repeated = 0
    counts: dict[int, int] = {}  # of each player's messages about the game, before the player's latest turn began
    with serving_pushes() as service, ServerProcess(data, "--no-limits", LOOPBACK) as server:
        async with players(server.url, "Ada", "Ben") as (ada, ben):
            users, browsers = (ada, ben), (service.browser("ada"), service.browser("ben"))
            for user, browser in zip(users, browsers, strict=True):
                await subscribe(user, browser)
            table, mover = "", 0
            for _ in range(kills):
                if not table:
                    table, mover, counts = await join_and_start(ada, ben), 0, {}
                browser = browsers[1 - mover]
                before = len(of_kind(service.pushed(browser), "turn", table))
                # The player has made that move since: a server that was killed before it knew does not tell it again.
                times = before - counts.get(1 - mover, before - 1)
                assert times <= 2, "a message is repeated at most once, because of the kill"
                repeated += times - 1
                counts[1 - mover] = before
                async with users[mover].live(table) as live:
                    await live.select_views(*(live.table.your_seats if live.table else []))
                    await play_turn(live)
                    over = live.update is not None and live.update.result is not None
                await asyncio.sleep(rng.uniform(0, MAX_DELAY_SECONDS))  # at any moment of the way to the push service
                server.kill()
                server.start()
                if over:
                    table = ""
                    continue
                await wait_until(
                    lambda browser=browser, table=table, before=before: (
                        len(of_kind(service.pushed(browser), "turn", table)) > before
                    )
                )
                mover = 1 - mover
            # A last turn without a kill: all that killed servers had claimed is sent again or dropped.
            table = await join_and_start(ada, ben)
            await wait_until(lambda: of_kind(service.pushed(browsers[0]), "turn", table))
            await wait_until(lambda: all(kind == "deadline" for _, kind in waiting(server)))
    print(f"{kills} kills, {repeated} repeated messages")
    assert '"level": "error"' not in server.logged()


def waiting(server: ServerProcess) -> list[tuple[str, str]]:
    """Return what is left in the outbox."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(server.data / "sevenhues.db")) as db:
        return db.execute("SELECT table_id, kind FROM outbox").fetchall()
