"""The routes of games that are over: their replay, records from elsewhere, and playing on from a moment."""

import asyncio
from typing import Annotated

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from sevenhues import protocol
from sevenhues.protocol import TableInfo
from sevenhues.server.http.origin_check import address_of
from sevenhues.server.http.tables import AnyRequest, house_of, name_of, somebody
from sevenhues.server.table import imports
from sevenhues.server.table.replay import Asked, eyes_of, opened

MOST_FRAMES = 200  # of one answer
KEEP = {"cache-control": "no-cache", "vary": "accept-encoding"}  # ask whether it is still the same: it is


@get("/api/tables/{table:str}/replay", tags=["tables"])
async def show_replay(
    request: AnyRequest,
    table: FromPath[str],
    eyes: FromQuery[str] = "watcher",
    start: Annotated[int, QueryParameter(name="from", ge=0, le=1_000_000)] = 0,
    most: Annotated[int, QueryParameter(ge=1, le=MOST_FRAMES)] = 100,
    text: FromQuery[bool] = False,
) -> Response[bytes]:
    """Return the moments of a finished game, from one on: as a seat saw them, a watcher, or with everything open."""
    house = house_of(request)
    found = opened((await house.room(table)).table)
    page = await house.replays.page(found, Asked(found.id, eyes_of(found, eyes), start, most, text))
    headers = KEEP | {"etag": page.tag}
    if request.headers.get("if-none-match") == page.tag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(page.packed, headers=headers | {"content-encoding": "gzip"}, media_type=MediaType.JSON)
    return Response(page.body, headers=headers, media_type=MediaType.JSON)


@post("/api/records", tags=["tables"])
async def upload_record(request: AnyRequest) -> TableInfo:
    """Lay a finished table from the record in the body, so that its replay has a link."""
    house = house_of(request)
    by = await somebody(request)
    house.limits.lay(by, address_of(request.scope))
    found = await asyncio.to_thread(imports.read, await request.body())
    room = await house.lay_record(found, by)
    return room.info(by)


@post("/api/tables/{table:str}/branch", tags=["tables"])
async def play_on(request: AnyRequest, table: FromPath[str], data: JSONBody[protocol.PlayOn]) -> TableInfo:
    """Lay a table that goes on from a moment of a finished game, with the caller in one seat and bots in the others."""
    house = house_of(request)
    by = await somebody(request)
    found = opened((await house.room(table)).table, data.ply)
    house.limits.lay(by, address_of(request.scope))
    room = await house.lay_branch(found, data, by, await name_of(house, by))
    return room.info(by)


ROUTES = (show_replay, upload_record, play_on)
