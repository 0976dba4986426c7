"""Tables that do not begin with a deal: imported from an uploaded record, or continued from a finished game.

As in `commands`, each function returns the first events of the table, or raises why it is refused.
"""

from collections.abc import Callable
from typing import Any

from sevenhues import bots
from sevenhues.core import deal_proof, record
from sevenhues.core.errors import BadRecord, InvalidRecord
from sevenhues.core.game import Game
from sevenhues.core.play import TimedMove, play_text
from sevenhues.core.record import EXTERNAL_REASONS, Record
from sevenhues.server.table import commands, events
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.events import Branch, ClockSettings, Event
from sevenhues.server.table.replay import check_finished
from sevenhues.server.table.state import Table

MAX_NAME = 40  # characters of a name that are kept
MAX_ERROR = 500  # characters of an error message
BOT_PREFIX = "bot:"  # of a bot's name in a record


def read_record(data: bytes, played_offline: bool = False) -> Record:
    """Parse an uploaded record and replay all of it; raise Refused unless it is a valid record of a finished game.

    The deal of a game that was played offline is repeated from its proof, because the table keeps the proof.
    """
    try:
        uploaded = record.read(data)
        *_, last = record.replay(uploaded)
        if played_offline:
            deal_proof.verify_deal(uploaded)
    except BadRecord as error:
        raise Refused("bad-record", what=str(error)[:MAX_ERROR]) from None
    except InvalidRecord as error:
        raise Refused("invalid-record", what=str(error)[:MAX_ERROR]) from None
    uploaded.result = uploaded.result or record.result_of(last)
    if uploaded.result is None:
        raise Refused("unfinished-record")
    return uploaded


def import_record(
    uploaded: Record,
    owner_id: str,
    secret: bytes,
    now_ms: int,
    clean_name: Callable[[str], str],
    played_offline: bool = False,
) -> list[Event]:
    """Return the events of a finished table with the game of a record. No user has a seat there."""
    assert uploaded.result is not None
    seats = len(uploaded.seats)
    created = _created(uploaded.game, uploaded.options, seats, owner_id, secret)
    created.imported, created.played_offline = True, played_offline
    created.deal = uploaded.extra.get(deal_proof.KEY) if played_offline else None
    marked = uploaded.extra.get(record.BOT_ACCOUNTS)
    bot_accounts = marked if isinstance(marked, list) else []
    log: list[Event] = [created]
    for seat, full_name in enumerate(uploaded.seats):
        is_bot = full_name.startswith(BOT_PREFIX)
        name: str | None = clean_name(full_name.removeprefix(BOT_PREFIX)[:MAX_NAME])
        level, name = (name, None) if is_bot else (None, name)
        log.append(events.SeatTaken(seat, None, name, level, seat in bot_accounts))
    log.append(events.Started(uploaded.setup, now_ms))
    log += _copied_moves(uploaded.moves)
    if uploaded.result["reason"] in EXTERNAL_REASONS:
        log.append(_early_end(uploaded.result, seats, len(uploaded.moves)))
    return log


def branch(
    table: Table, ply: int, seat: int, level: str | None, owner_id: str, name: str, secret: bytes, now_ms: int
) -> list[Event]:
    """Return the events of a table that continues a finished game from a ply, with bots in all other seats."""
    check_finished(table, ply)
    game = table.game
    if not 0 <= seat < len(table.seats):
        raise Refused("no-seat", seat=seat)
    position = game.start(table.setup, len(table.seats), table.options)
    for move in table.moves[:ply]:
        play_text(game, position, move.seat, move.text)
    if position.outcome() is not None:
        raise Refused("ended-there")
    bot_level = commands.check_level(game, level or bots.default_level(game))
    created = _created(game, table.options, len(table.seats), owner_id, secret)
    created.branch = Branch(table.id, ply)
    log: list[Event] = [created]
    for number in range(len(table.seats)):
        own = number == seat
        log.append(events.SeatTaken(number, owner_id, name) if own else events.SeatTaken(number, None, None, bot_level))
    log.append(events.Started(table.setup, now_ms + commands.COUNTDOWN_MS if game.simultaneous else now_ms))
    return log + _copied_moves(table.moves[:ply])


def _early_end(result: dict[str, Any], seats: int, ply: int) -> Event:
    """Return the event that ended a game outside its rules: the one seat that did not win caused it."""
    losers = [seat for seat in range(seats) if seat not in result["winners"]]
    if result["reason"] == "abandoned" and not result["winners"]:
        return events.Abandoned()
    if result["reason"] == "abandoned" or len(losers) != 1:
        what = f"ply {ply}: a game that was {result['reason']} is won by all seats but one, or abandoned without winner"
        raise Refused("invalid-record", what=what)
    return events.Resigned(losers[0]) if result["reason"] == "resigned" else events.TimedOut(losers[0])


def _created(
    game: Game[Any], options: dict[str, bool | int | str], seats: int, owner_id: str, secret: bytes
) -> events.Created:
    return events.Created(game.id, options, seats, owner_id, False, ClockSettings(), False, False, secret.hex())


def _copied_moves(moves: list[TimedMove]) -> list[Event]:
    return [events.MovePlayed(move.seat, move.text, race_ms=move.at_ms) for move in moves]
