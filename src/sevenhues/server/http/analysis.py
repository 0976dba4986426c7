"""The routes to what is told of a finished game: its story, and what a seat could know of hidden faces."""

import asyncio
from functools import lru_cache

from litestar import get, post
from litestar.params import FromPath, FromQuery

from sevenhues import protocol
from sevenhues.core import record
from sevenhues.core.game import WATCHER
from sevenhues.core.record import Record
from sevenhues.core.report_types import Beliefs
from sevenhues.server.errors import Declined
from sevenhues.server.http.origin_check import address_of
from sevenhues.server.http.tables import AnyRequest, house_of, somebody

MOST_KEPT = 256  # answers that are kept for who asks again


@get("/api/tables/{table:str}/analysis", tags=["tables"])
async def show_analysis(request: AnyRequest, table: FromPath[str]) -> protocol.Analysis:
    """Return the story of a finished game, or how far it is."""
    house = house_of(request)
    room = await house.room(table)
    return await house.stories.look(room.table)


@post("/api/tables/{table:str}/analysis", tags=["tables"], status_code=200)
async def begin_analysis(request: AnyRequest, table: FromPath[str]) -> protocol.Analysis:
    """Have the story of a finished game told, in the background; ask for it until it is there. It is kept."""
    house = house_of(request)
    await somebody(request)
    room = await house.room(table)
    if (found := await house.stories.look(room.table)).state != "none":
        return found
    house.limits.stories.spend(address_of(request.scope))
    return await house.stories.begin(room.table)


@get("/api/tables/{table:str}/beliefs", tags=["tables"])
async def show_beliefs(
    request: AnyRequest, table: FromPath[str], ply: FromQuery[int], seat: FromQuery[int] = WATCHER
) -> protocol.Beliefs:
    """Return the exact odds of every hidden face at a moment of a finished game, given all that a seat had seen.

    `seat` -1 is a watcher.
    """
    house = house_of(request)
    found = (await house.room(table)).table
    if found.result is None:
        raise Declined("not-over")
    if not WATCHER <= seat < len(found.seats):
        raise Declined("no-seat", seat=seat)
    if not 0 <= ply <= found.ply:
        raise Declined("no-ply", ply=ply, last=found.ply)
    house.limits.odds.spend(address_of(request.scope))
    told = await asyncio.to_thread(_odds, _Key(table, found.record()), ply, seat)
    if told is None:
        raise Declined("no-odds", title=found.game.title)
    faces = [protocol.Belief(**face.plain()) for face in told.faces]
    return protocol.Beliefs(ply, seat, told.symbols, faces)


class _Key:
    """A record that is known by its table: a finished game never changes."""

    def __init__(self, table: str, found: Record) -> None:
        self.table = table
        self.record = found

    def __hash__(self) -> int:
        return hash(self.table)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.table == self.table


@lru_cache(MOST_KEPT)
def _odds(key: _Key, ply: int, seat: int) -> Beliefs | None:
    found = key.record
    for at, position in enumerate(record.replay(found)):
        if at == ply:
            return found.game.beliefs(position, seat)
    return None


ROUTES = (show_analysis, begin_analysis, show_beliefs)
