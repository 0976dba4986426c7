"""Pages of replays as they are sent. Finished games do not change, so pages are cached."""

import gzip
from hashlib import sha256
from typing import NamedTuple

import msgspec

from sevenhues.protocol import Frame, Moved, Replay
from sevenhues.server.fair_queue import FairQueue
from sevenhues.server.http.fair_cache import FairCache
from sevenhues.server.live.messages import encoder, text_view
from sevenhues.server.table.replay import ReplayView, check_finished, positions, view_of
from sevenhues.server.table.state import Table

MAX_CACHED = 64


class Page(NamedTuple):
    """A part of a replay, encoded, and its entity tag."""

    body: bytes
    compressed: bytes
    etag: str


class PageKey(NamedTuple):
    """A part of a table's replay: at most `limit` frames from ply `start` on."""

    table: str
    view: ReplayView
    start: int
    limit: int
    text: bool


class ReplayPages:
    """Builds and caches pages."""

    def __init__(self, queue: FairQueue) -> None:
        self._cache: FairCache[PageKey, Page] = FairCache(queue, MAX_CACHED)

    async def page(self, table: Table, key: PageKey, address: str) -> Page:
        check_finished(table, key.start)
        return await self._cache.get(key, address, lambda: _page(table, key))


def build(table: Table, key: PageKey) -> Replay:
    """Replay a finished game, and return the views from one ply on."""
    check_finished(table, key.start)
    end = min(key.start + key.limit, table.ply + 1)
    frames: list[Frame] = []
    for ply, position in enumerate(positions(table, end)):
        if ply >= key.start:
            view = view_of(table, position, key.view)
            text = text_view(table.game, view) if key.text else None
            frames.append(Frame(ply, position.to_act(), position.scores(), msgspec.Raw(encoder.encode(view)), text))
    moves = [Moved(*move) for move in table.moves]
    return Replay(table.id, key.view, moves, frames, end if end <= table.ply else None)


def _page(table: Table, key: PageKey) -> Page:
    body = encoder.encode(build(table, key))
    return Page(body, gzip.compress(body, 6, mtime=0), f'"{sha256(body).hexdigest()[:24]}"')
