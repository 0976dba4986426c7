"""Parts of replays of finished games, and the odds of hidden faces there."""

from typing import NamedTuple

import msgspec

from sevenhues import protocol
from sevenhues.core import record
from sevenhues.core.position import WATCHER
from sevenhues.core.report_types import Beliefs
from sevenhues.protocol import Frame, Moved, Replay
from sevenhues.server.live.messages import encoder, text_view
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.replay import ReplayView, check_finished, positions, view_of
from sevenhues.server.table.state import Table


class PageKey(NamedTuple):
    """A part of a table's replay: at most `limit` frames from ply `start` on."""

    table: str
    view: ReplayView
    start: int
    limit: int
    text: bool


def replay_page(table: Table, key: PageKey) -> Replay:
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


def check_beliefs(table: Table, ply: int, seat: int) -> None:
    """Raise Refused unless the game is over and has this ply and this seat; -1 is a watcher."""
    check_finished(table)
    if not WATCHER <= seat < len(table.seats):
        raise Refused("no-seat", seat=seat)
    check_finished(table, ply)


def beliefs_at(table: Table, ply: int, seat: int) -> Beliefs | None:
    """Return the odds of every hidden face at a ply, given all that a seat had seen; None if the game has no odds."""
    for number, position in enumerate(record.replay(table.record())):
        if number == ply:
            return table.game.bot_support().beliefs(position, seat)
    return None


def beliefs_answer(table: Table, ply: int, seat: int, beliefs: Beliefs | None) -> protocol.Beliefs:
    if beliefs is None:
        raise Refused("no-odds", title=table.game.title)
    faces = [protocol.Belief(**face.to_json()) for face in beliefs.faces]
    return protocol.Beliefs(ply, seat, beliefs.symbols, faces)
