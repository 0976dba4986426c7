"""What a table shows: its description for one caller, and its position through somebody's eyes."""

from collections.abc import Collection
from typing import Any

import msgspec

from sevenhues.core.game import WATCHER, Position
from sevenhues.core.play import Played
from sevenhues.protocol import Drawn, Eye, Moved, Proof, SeatInfo, TableInfo, Update
from sevenhues.server.ratings import rating_model
from sevenhues.server.store import FORGOTTEN
from sevenhues.server.table.state import Seat, Table

_encoder = msgspec.json.Encoder()


def info(table: Table, by: str | None, here: Collection[str] = (), watchers: int = 0) -> TableInfo:
    """Describe a table to a caller; `here` are the persons connected to it."""
    position = table.position
    proven = table.result is not None and table.own and not table.made.seed
    return TableInfo(
        id=table.id,
        game=table.game.id,
        options=dict(table.options),
        seats=[_seat(table, seat, here) for seat in table.seats],
        status=table.status,
        public=table.made.public,
        clock=table.made.clock,
        takeover=table.made.takeover,
        waits=table.made.waits,
        commitment=table.commitment,
        owner=by is not None and table.made.owner == by,
        mine=table.held(by),
        created=table.created,
        started=table.started,
        ply=table.ply,
        turn=table.turn(),
        scores=position.scores() if position is not None else [0] * len(table.seats),
        updated=table.at,
        watchers=watchers,
        result=table.result,
        next=table.next,
        previous=table.made.previous,
        proof=Proof(table.secret.hex(), table.added(), table.made.winners) if proven else None,
        seed=table.made.seed,
        hints=table.made.hints,
        imported=table.made.imported,
        branch=table.made.branch,
        unrated=rating_model.unrated(table),
    )


def update(
    table: Table, position: Position, eyes: tuple[int, ...], text: bool, now: int, move: Played | None, whole: bool
) -> bytes:
    """Write the position through these eyes; `whole` with all that happened so far."""
    return _encoder.encode(
        Update(
            ply=table.ply,
            now=now,
            move=None if move is None else Moved(*move),
            turn=table.turn(),
            scores=position.scores(),
            eyes=[_eye(table, position, seat, text) for seat in eyes or (WATCHER,)],
            clock=table.clocks.state(now) if table.clocks is not None else None,
            begins=table.begins if table.begins > now else None,
            result=table.result,
            history=[Moved(*played) for played in table.moves] if whole else None,
        )
    )


def first_eyes(table: Table, by: str | None) -> tuple[int, ...]:
    """Tell through whose eyes somebody sees who has just come: their one seat's, or all at once, or a watcher's."""
    held = table.held(by)
    return tuple(held) if len(held) == 1 or table.game.simultaneous else ()


def _eye(table: Table, position: Position, seat: int, text: bool) -> Eye:
    view = table.game.view(position, seat)
    acts = seat != WATCHER and table.result is None
    legal = table.game.legal_texts(position, seat) if acts else []
    return Eye(seat, msgspec.Raw(_encoder.encode(view)), legal, _drawn(table, view) if text else None)


def _drawn(table: Table, view: Any) -> Drawn:
    return Drawn(table.game.draw(view, False), table.game.tell(view))


def _seat(table: Table, seat: Seat, here: Collection[str]) -> SeatInfo:
    if seat.open:
        return SeatInfo("open")
    if seat.by is None and seat.level is None:
        return SeatInfo("person", seat.name)
    if seat.by is None:
        return SeatInfo("bot", seat.name, seat.level, True, True, True)
    return SeatInfo(
        "bot" if seat.level else "person",
        seat.name,
        seat.level,
        seat.by in here,
        seat.by in table.entropies,
        seat.by in table.offers,
        _player(table, seat.by, seat.name),
    )


def _player(table: Table, by: str, name: str | None) -> str | None:
    """Tell whose profile belongs to a seat; of a shared device nobody knows."""
    return rating_model.player_of(by).id if len(table.held(by)) == 1 and name != FORGOTTEN else None
