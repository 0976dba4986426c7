"""Pages of replays as they are sent. Finished games do not change, so pages are cached."""

import gzip
from hashlib import sha256
from typing import NamedTuple

from sevenhues.server.answers.replays import PageKey, replay_page
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.http.fair_cache import FairCache
from sevenhues.server.live.messages import encoder
from sevenhues.server.table.replay import check_finished
from sevenhues.server.table.state import Table

MAX_CACHED = 64


class Page(NamedTuple):
    """A part of a replay, encoded, and its entity tag."""

    body: bytes
    compressed: bytes
    etag: str


class ReplayPages:
    """Builds and caches pages."""

    def __init__(self, queue: FairQueue) -> None:
        self._cache: FairCache[PageKey, Page] = FairCache(queue, MAX_CACHED)

    async def page(self, table: Table, key: PageKey, address: str) -> Page:
        check_finished(table, key.start)
        return await self._cache.get(key, address, lambda: _page(table, key))


def _page(table: Table, key: PageKey) -> Page:
    body = encoder.encode(replay_page(table, key))
    return Page(body, gzip.compress(body, 6, mtime=0), f'"{sha256(body).hexdigest()[:24]}"')
