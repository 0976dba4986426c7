"""Tables that do not begin with a deal of ours: from a record that was uploaded, or from a moment of another game.

As in `judge`, each function returns the events that would lay it, or raises why not.
"""

from typing import Any

from sevenhues import bots
from sevenhues.core import record
from sevenhues.core.errors import BadRecord, Unsound
from sevenhues.core.game import Game
from sevenhues.core.play import Played, play_text
from sevenhues.core.record import OUTSIDE, Record
from sevenhues.protocol import Branch, Clock, PlayOn
from sevenhues.server.accounts import names
from sevenhues.server.errors import Declined
from sevenhues.server.store import FORGOTTEN
from sevenhues.server.table import commands, events
from sevenhues.server.table.replay import opened
from sevenhues.server.table.state import Table

MOST_NAME = 40  # letters of a name that are kept
BOT = "bot:"  # what a bot's name in a record begins with


def read(data: bytes) -> Record:
    """Read a record that somebody sent, and replay all of it."""
    try:
        found = record.read(data)
        *_, last = record.replay(found)
    except BadRecord as error:
        raise Declined("bad-record", what=str(error)[:500]) from None
    except Unsound as error:
        raise Declined("unsound-record", what=str(error)[:500]) from None
    found.result = found.result or record.result_of(last)
    if found.result is None:
        raise Declined("unfinished-record")
    return found


def imported(found: Record, owner: str, secret: bytes, now: int) -> list[events.Event]:
    """Lay a finished table from a record: nobody sits there, and nothing is proven."""
    assert found.result is not None
    laid: list[events.Event] = [_created(found.game, found.options, len(found.seats), owner, secret)]
    assert isinstance(laid[0], events.Created)
    laid[0].imported = True
    for seat, name in enumerate(found.seats):
        bot = name.startswith(BOT)
        called = names.chosen(name[len(BOT) if bot else 0 :][:MOST_NAME]) or FORGOTTEN
        laid.append(events.Sat(seat, None, None, called) if bot else events.Sat(seat, None, called))
    laid.append(events.Started(found.setup, now))
    laid += _played(found.moves)
    if found.result["reason"] in OUTSIDE:
        laid.append(_ended(found.result, len(found.seats), len(found.moves)))
    return laid


def _ended(result: dict[str, Any], seats: int, ply: int) -> events.Event:
    """Tell who brought about an end that no rule knows: whoever did not win."""
    others = [seat for seat in range(seats) if seat not in result["winners"]]
    if result["reason"] == "abandoned" and not result["winners"]:
        return events.Abandoned()
    if result["reason"] == "abandoned" or len(others) != 1:
        what = f"ply {ply}: nobody wins a game that was {result['reason']} but all the others"
        raise Declined("unsound-record", what=what)
    return events.Resigned(others[0]) if result["reason"] == "resigned" else events.TimedOut(others[0])


def branch(table: Table, wish: PlayOn, owner: str, name: str, secret: bytes, now: int) -> list[events.Event]:
    """Lay a table that goes on from a moment of a finished game: the caller in a seat, bots in the others."""
    game = opened(table, wish.ply).game
    if not 0 <= wish.seat < len(table.seats):
        raise Declined("no-seat", seat=wish.seat)
    position = game.start(table.setup, len(table.seats), table.options)
    for move in table.moves[: wish.ply]:
        play_text(game, position, move.seat, move.text)
    if position.outcome() is not None:
        raise Declined("ended-there")
    level = commands.level_of(game, wish.level or bots.usual(game))
    laid: list[events.Event] = [_created(game, table.options, len(table.seats), owner, secret)]
    assert isinstance(laid[0], events.Created)
    laid[0].branch = Branch(table.id, wish.ply)
    for seat in range(len(table.seats)):
        mine = seat == wish.seat
        laid.append(events.Sat(seat, owner, name) if mine else events.Sat(seat, None, None, level))
    laid.append(events.Started(table.setup, now + commands.COUNTDOWN if game.simultaneous else now))
    return laid + _played(table.moves[: wish.ply])


def _created(
    game: Game[Any], options: dict[str, bool | int | str], seats: int, owner: str, secret: bytes
) -> events.Created:
    return events.Created(game.id, options, seats, owner, False, Clock(), False, False, secret.hex())


def _played(moves: list[Played]) -> list[events.Event]:
    return [events.Played(move.seat, move.text, at=move.at) for move in moves]
