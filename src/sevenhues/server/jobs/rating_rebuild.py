"""Computes all ratings again from the logs of finished games."""

import logging
from typing import NamedTuple

from sevenhues.server.ratings import queries
from sevenhues.server.ratings.contests import Contest, finished_contest
from sevenhues.server.store import Store, StoreFailed
from sevenhues.server.table.state import restore

log = logging.getLogger("sevenhues")


class RebuildCounts(NamedTuple):
    rated: int
    finished: int
    unreadable: int


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
