"""Computes all ratings again from the logs of finished games, and flags programs, in a store that is not open."""

import logging
import time
from typing import NamedTuple

from sevenhues.core.errors import SevenHuesError, shorten
from sevenhues.server.ratings import flags, queries
from sevenhues.server.ratings.contests import Contest, finished_contest
from sevenhues.server.store import Store, StoreFailed
from sevenhues.server.table.state import restore

log = logging.getLogger("sevenhues")


class RebuildCounts(NamedTuple):
    rated: int
    finished: int
    unreadable: int


async def flag_player(store: Store, player: str, reason: str, lift: bool) -> bool:
    """Flag a player as a program, or lift the flag; tell whether that changed something."""
    await store.open()
    try:
        now_ms = await store.now_ms() or time.time_ns() // 1_000_000
        user_id = await store.read(flags.find_user(player))
        if user_id is None:
            raise SevenHuesError(
                f"there is no player {shorten(player)}: give the end of the address of a profile, /players/…,"
                " or the id of a user"
            )
        return await store.change_ratings(flags.lift(user_id) if lift else flags.flag(user_id, reason, now_ms))
    finally:
        await store.close()


async def rebuild_ratings(store: Store) -> RebuildCounts:
    """Replace the ratings of a store that no server uses; return the numbers of games."""
    await store.open()
    try:
        table_ids = await store.read(queries.finished_tables())
        contests: dict[str, tuple[int, Contest]] = {}
        unreadable = 0
        for table_id in table_ids:
            try:
                table = restore(table_id, await store.log(table_id))
            except StoreFailed:
                raise
            except Exception:
                # For example, the game is no longer installed.
                log.exception("cannot rate the game of a table", extra={"table": table_id})
                unreadable += 1
                continue
            contest = finished_contest(table)
            if contest is not None and table.ended_at is not None:
                contests[table_id] = table.ended_at, contest
        await store.change_ratings(queries.rebuild(contests))
    finally:
        await store.close()
    return RebuildCounts(len(contests), len(table_ids), unreadable)
