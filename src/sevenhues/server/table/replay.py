"""Replays: every moment of a game that is over, through a seat's eyes, a watcher's, or with everything open."""

import asyncio
import gzip
from collections import OrderedDict
from hashlib import sha256
from typing import Literal, NamedTuple

import msgspec

from sevenhues.core.game import WATCHER, Position, View
from sevenhues.core.play import play_text
from sevenhues.protocol import Drawn, Frame, Moved, Replay
from sevenhues.server.errors import Declined
from sevenhues.server.table.state import Table

Eyes = int | Literal["watcher", "everything"]
MOST_KEPT = 64  # pages that are kept ready for the next who asks
_encoder = msgspec.json.Encoder()


class Page(NamedTuple):
    """A part of a replay as it is sent: it never changes."""

    body: bytes
    packed: bytes
    tag: str


class Asked(NamedTuple):
    """A part of a table's replay."""

    table: str
    eyes: Eyes
    start: int
    most: int
    text: bool


def eyes_of(table: Table, wished: str) -> Eyes:
    """Read whose eyes to look through."""
    if wished == "watcher":
        return "watcher"
    if wished == "everything":
        return "everything"
    if not (wished.isascii() and wished.isdecimal() and len(wished) < 3):
        raise Declined("no-eyes", eyes=wished[:20])
    if int(wished) >= len(table.seats):
        raise Declined("no-seat", seat=int(wished))
    return int(wished)


def opened(table: Table, ply: int = 0) -> Table:
    """Return a table whose game is over and has a moment `ply`; Declined otherwise, whoever asks."""
    if table.result is None:
        raise Declined("not-over")
    if not 0 <= ply <= table.ply:
        raise Declined("no-ply", ply=ply, last=table.ply)
    return table


def build(table: Table, asked: Asked) -> Replay:
    """Play a finished game again, and write down what is seen from one moment on."""
    opened(table, asked.start)
    position: Position = table.game.start(table.setup, len(table.seats), table.options)
    end = min(asked.start + asked.most, table.ply + 1)
    frames: list[Frame] = []
    for ply in range(end):
        if ply:
            play_text(table.game, position, table.moves[ply - 1].seat, table.moves[ply - 1].text)
        if ply >= asked.start:
            view = _seen(table, position, asked.eyes)
            drawn = Drawn(table.game.draw(view, False), table.game.tell(view)) if asked.text else None
            frames.append(Frame(ply, position.to_act(), position.scores(), msgspec.Raw(_encoder.encode(view)), drawn))
    moves = [Moved(*move) for move in table.moves]
    return Replay(table.id, asked.eyes, moves, frames, end if end <= table.ply else None)


def _seen(table: Table, position: Position, eyes: Eyes) -> View:
    if eyes == "everything":
        return table.game.opened(position)
    return table.game.view(position, WATCHER if eyes == "watcher" else eyes)


class Replays:
    """Builds pages of replays, one at a time and beside everything else, and keeps the latest."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Asked, Page] = OrderedDict()
        self._one = asyncio.Lock()

    async def page(self, table: Table, asked: Asked) -> Page:
        opened(table, asked.start)
        async with self._one:
            page = self._kept.pop(asked, None)
            if page is None:
                page = await asyncio.to_thread(_page, table, asked)
            self._kept[asked] = page
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return page


def _page(table: Table, asked: Asked) -> Page:
    body = _encoder.encode(build(table, asked))
    return Page(body, gzip.compress(body, 6, mtime=0), f'"{sha256(body).hexdigest()[:24]}"')
