"""Pages of replays as they are sent. Finished games do not change, so pages are cached."""

import asyncio
import gzip
from collections import OrderedDict
from hashlib import sha256
from typing import NamedTuple

import msgspec

from sevenhues.protocol import Frame, Moved, Replay
from sevenhues.server.fair_queue import FairQueue
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
    """Builds pages in a thread, one at a time, and caches the latest. Addresses take turns."""

    def __init__(self) -> None:
        self._cache: OrderedDict[PageKey, Page] = OrderedDict()
        self._queue = FairQueue(1)

    async def page(self, table: Table, key: PageKey, address: str) -> Page:
        check_finished(table, key.start)
        if key not in self._cache:
            async with self._queue.turn(address):
                if key not in self._cache:  # another request has built it meanwhile
                    self._cache[key] = await asyncio.to_thread(_page, table, key)
        page = self._cache[key]
        self._cache.move_to_end(key)
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return page


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
