"""Works out all ratings anew, from the logs of the games that were played."""

import logging
from typing import NamedTuple

from sevenhues.server.ratings import queries, rating_model
from sevenhues.server.ratings.rating_model import Contest
from sevenhues.server.store import Store, StoreFailed
from sevenhues.server.table.state import restore

log = logging.getLogger("sevenhues")


class Rerated(NamedTuple):
    rated: int
    finished: int
    unread: int


async def rerate(store: Store) -> Rerated:
    """Replace the ratings in a store that nobody else uses; return how many games count, of how many."""
    await store.open()
    try:
        tables = await store.ask(queries.finished())
        contests: dict[str, tuple[int, Contest]] = {}
        unread = 0
        for id in tables:
            try:
                table = restore(id, await store.log(id))
            except StoreFailed:
                raise
            except Exception:
                # Of a game that is no longer installed, say.
                log.exception("a game cannot be read", extra={"table": id})
                unread += 1
                continue
            contest = rating_model.finished(table)
            if contest is not None and table.ended is not None:
                contests[id] = table.ended, contest
        await store.change(queries.rebuild(contests))
    finally:
        await store.close()
    return Rerated(len(contests), len(tables), unread)
