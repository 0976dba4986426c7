"""Replays of finished games: every position, as a seat or a watcher saw it, or with everything visible."""

from collections.abc import Iterator
from typing import Literal

from sevenhues.core.game import View
from sevenhues.core.play import play_text
from sevenhues.core.position import WATCHER, Position
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.state import Table

ReplayView = int | Literal["watcher", "everything"]


def parse_view(table: Table, text: str) -> ReplayView:
    """Parse the view of a replay: the number of a seat, `watcher` or `everything`."""
    if text == "watcher":
        return "watcher"
    if text == "everything":
        return "everything"
    if not (text.isascii() and text.isdecimal() and len(text) < 3):
        raise Refused("no-view", view=text[:20])
    if int(text) >= len(table.seats):
        raise Refused("no-seat", seat=int(text))
    return int(text)


def check_finished(table: Table, ply: int = 0) -> None:
    """Raise Refused unless the game is over and has this ply."""
    if table.result is None:
        raise Refused("not-over")
    if not 0 <= ply <= table.ply:
        raise Refused("no-ply", ply=ply, last=table.ply)


def positions(table: Table, end: int) -> Iterator[Position]:
    """Yield the positions of a finished game at plies 0 to `end` - 1, as one object that is played on."""
    check_finished(table)
    position: Position = table.game.start(table.setup, len(table.seats), table.options)
    for ply in range(end):
        if ply:
            play_text(table.game, position, table.moves[ply - 1].seat, table.moves[ply - 1].text)
        yield position


def view_of(table: Table, position: Position, view: ReplayView) -> View:
    """Return the view of a position of a replay."""
    if view == "everything":
        return table.game.full_view(position)
    return table.game.view(position, WATCHER if view == "watcher" else view)
