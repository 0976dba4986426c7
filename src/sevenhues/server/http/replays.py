"""Routes of finished games: replays, uploaded records, and games that continue from a ply."""

import asyncio
from typing import Annotated

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from sevenhues import protocol
from sevenhues.protocol import TableInfo
from sevenhues.server.answers.replays import PageKey
from sevenhues.server.client_address import client_network
from sevenhues.server.http.context import AnyRequest, check_not_deleted, context_of, name_of, require_user, table_named
from sevenhues.server.table import imports
from sevenhues.server.table.replay import check_finished, parse_view

MAX_FRAMES = 200  # of one response
CACHE_HEADERS = {"cache-control": "no-cache", "vary": "accept-encoding"}  # clients revalidate with the entity tag


@get("/api/tables/{table:str}/replay", tags=["tables"])
async def show_replay(
    request: AnyRequest,
    table: FromPath[str],
    view: FromQuery[str] = "watcher",
    start: Annotated[int, QueryParameter(name="from", ge=0, le=1_000_000)] = 0,
    most: Annotated[int, QueryParameter(ge=1, le=MAX_FRAMES)] = 100,
    text: FromQuery[bool] = False,
) -> Response[bytes]:
    """Return frames of a finished game from a ply on: as a seat or a watcher saw them, or with everything visible."""
    context = context_of(request)
    finished = (await table_named(request, table)).table
    check_finished(finished)
    key = PageKey(finished.id, parse_view(finished, view), start, most, text)
    page = await context.replay_pages.page(finished, key, client_network(request.scope))
    headers = CACHE_HEADERS | {"etag": page.etag}
    if request.headers.get("if-none-match") == page.etag:
        return Response(b"", status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(page.compressed, headers=headers | {"content-encoding": "gzip"}, media_type=MediaType.JSON)
    return Response(page.body, headers=headers, media_type=MediaType.JSON)


@post("/api/records", tags=["tables"])
async def upload_record(
    request: AnyRequest, offline_id: Annotated[str | None, QueryParameter(pattern=protocol.OFFLINE_ID)] = None
) -> TableInfo:
    """Create a finished table from the record in the body, so that its replay has a link.

    With `offline_id`, the game was played offline and has this id on its device. A repeated upload changes nothing.
    """
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.take_table(user_id, client_network(request.scope))
    uploaded = await asyncio.to_thread(imports.read_record, await request.body(), offline_id is not None)
    live_table = await context.live_tables.import_record(uploaded, user_id, offline_id)
    await check_not_deleted(request, user_id)
    return live_table.info(user_id)


@post("/api/tables/{table:str}/branch", tags=["tables"])
async def branch_table(request: AnyRequest, table: FromPath[str], data: JSONBody[protocol.BranchRequest]) -> TableInfo:
    """Create a table that continues a finished game from a ply, with the caller in one seat and bots in the others."""
    context = context_of(request)
    user_id = await require_user(request)
    finished = (await table_named(request, table)).table
    check_finished(finished, data.ply)
    context.limits.take_table(user_id, client_network(request.scope))
    name = await name_of(context, user_id)
    live_table = await context.live_tables.branch(finished, data.ply, data.seat, data.level, user_id, name)
    await check_not_deleted(request, user_id)
    return live_table.info(user_id)


ROUTES = (show_replay, upload_record, branch_table)
