"""Routes of tables: lists, creation, seats, hints, records, and the websocket of a table."""

import logging
from functools import partial
from typing import Literal

from litestar import MediaType, Response, get, post, websocket
from litestar.params import FromPath, FromQuery, JSONBody

from sevenhues import protocol
from sevenhues.protocol import TableInfo
from sevenhues.server import transport
from sevenhues.server.answers import tables as answers
from sevenhues.server.answers.games import game_named
from sevenhues.server.answers.statuses import close_code
from sevenhues.server.client_address import client_network
from sevenhues.server.http.bot_scope import check_no_names, check_scope, find_challenged, watched_token
from sevenhues.server.http.context import (
    AnyRequest,
    AnyWebSocket,
    caller_of,
    check_caller,
    check_name,
    check_not_deleted,
    context_of,
    count_phrase,
    count_read,
    is_banned,
    name_of,
    require_player,
    require_user,
    table_named,
    user_of,
)
from sevenhues.server.http.origin_check import check_host, check_origin
from sevenhues.server.live import connection
from sevenhues.server.live.client_messages import ConnectionLimits
from sevenhues.server.live.hints import find_hints
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.replay import check_finished

log = logging.getLogger("sevenhues")


@get("/api/tables", tags=["tables"])
async def list_tables(
    request: AnyRequest,
    which: FromQuery[Literal["mine", "open", "live", "finished"]],
    game: FromQuery[str | None] = None,
    before: FromQuery[str | None] = None,
    unfinished: FromQuery[bool] = False,
) -> protocol.TableList:
    """List the caller's tables, or public ones: open to join, live to watch, finished to replay; newest first.

    With `unfinished`, those of the caller's tables whose game is not over.
    """
    context = context_of(request)
    user_id = await user_of(request)
    page = await answers.listed_tables(context.store, user_id, which, game, before, unfinished)
    for listed in page:
        count_read(request, listed.id)
    return await answers.table_list(context.live_tables, page, user_id)


@post("/api/tables", tags=["tables"])
async def create_table(request: AnyRequest, data: JSONBody[protocol.NewTable]) -> TableInfo:
    """Create a table. Its commitment to the deal is published here, before anybody else takes a seat."""
    context = context_of(request)
    user_id, bot = await require_player(request)
    context.limits.take_table(user_id, client_network(request.scope))
    game = game_named(data.game)
    if bot is not None:
        check_scope(bot, game, creates=True)
        check_no_names([seat.name for seat in data.seats])
    name = await name_of(context, user_id)
    find_bot = partial(find_challenged, context, game)
    spec = await answers.table_spec(data, partial(check_name, context, user_id), find_bot, bot is not None)
    live_table = await context.live_tables.create(game, spec, user_id, name)
    await check_not_deleted(request, user_id)
    context.live_tables.bot_connections.wake()
    return live_table.info(user_id)


@get("/api/tables/{table:str}", tags=["tables"])
async def show_table(request: AnyRequest, table: FromPath[str]) -> TableInfo:
    """Describe a table."""
    live_table = await table_named(request, table)
    return live_table.info(await user_of(request))


@post("/api/tables/{table:str}/join", tags=["tables"], status_code=200)
async def join_table(request: AnyRequest, table: FromPath[str], data: JSONBody[protocol.Join]) -> TableInfo:
    """Take an open seat. A second one can be taken for another player who shares the device."""
    context = context_of(request)
    user_id, bot = await require_player(request)
    context.limits.seat_changes.take(client_network(request.scope))
    live_table = await table_named(request, table)
    if bot is not None:
        check_scope(bot, live_table.table.game)
        check_no_names([data.name])
    if data.name is not None:
        name = await check_name(context, user_id, data.name)
    else:
        name = await name_of(context, user_id)
    await answers.take_seat(live_table, user_id, name, data.seat, bot is not None)
    await check_not_deleted(request, user_id)
    return live_table.info(user_id)


@post("/api/tables/{table:str}/seats/{seat:int}/bot", tags=["tables"], status_code=200)
async def seat_bot(
    request: AnyRequest, table: FromPath[str], seat: FromPath[int], data: JSONBody[protocol.SeatBot]
) -> TableInfo:
    """Let a bot take an open seat of the caller's table."""
    context = context_of(request)
    user_id, _ = await require_player(request)
    context.limits.seat_changes.take(client_network(request.scope))
    live_table = await table_named(request, table)
    await live_table.act(lambda table, now_ms: commands.seat_bot(table, user_id, seat, data.level))
    return live_table.info(user_id)


@post("/api/tables/{table:str}/seats/{seat:int}/leave", tags=["tables"], status_code=200)
async def leave_seat(request: AnyRequest, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Free a seat before the game starts. During the game a seat is kept for its player, who may resign."""
    context = context_of(request)
    user_id, _ = await require_player(request)
    context.limits.seat_changes.take(client_network(request.scope))
    live_table = await table_named(request, table)
    await live_table.act(lambda table, now_ms: commands.leave_seat(table, user_id, seat))
    return live_table.info(user_id)


@post("/api/tables/{table:str}/seats/{seat:int}/hint", tags=["tables"], status_code=200)
async def give_hint(request: AnyRequest, table: FromPath[str], seat: FromPath[int]) -> protocol.Hints:
    """Return the moves that the game's best bot would choose for the caller's seat, from what that seat has seen."""
    context = context_of(request)
    user_id = await require_user(request)
    live_table = await table_named(request, table)
    commands.check_hint(live_table.table, user_id, seat)
    context.limits.take_hint(user_id, client_network(request.scope))
    return await find_hints(context.live_tables.searches, live_table.table, seat)


@get("/api/tables/{table:str}/record", tags=["tables"])
async def show_record(request: AnyRequest, table: FromPath[str]) -> Response[bytes]:
    """Return the record of a finished game, with the proof of its deal."""
    finished = (await table_named(request, table)).table
    check_finished(finished)
    return Response(finished.record_text().encode(), media_type=MediaType.JSON)


@websocket("/api/tables/{table:str}/live")
async def live(socket: AnyWebSocket, table: FromPath[str]) -> None:
    """Open a table's websocket; see `FromClient` and `FromServer`."""
    context = context_of(socket)
    network = client_network(socket.scope)
    try:
        check_host(socket.scope, context.settings.allowed_hosts)
        check_origin(socket.scope, context.settings.origins)
        context.limits.connects.take(network)
        count_read(socket, table)
        live_table = await context.live_tables.get_current(table)
        user_id, bot = await caller_of(socket)
        check_caller(socket, user_id, bot)
        if user_id is not None and live_table.table.seats_of(user_id):
            await _see_player(socket, live_table, user_id)
        counted = context.limits.open_connection(user_id, network)
    except (Refused, StoreFailed) as error:
        key = error.key if isinstance(error, Refused) else "store-failed"
        if isinstance(error, StoreFailed):
            log.error("a connection was refused: %s", error)
        await socket.accept()
        await socket.close(close_code(key), key)
        await transport.wait_closed(socket.scope)
        return

    def count_rematch() -> None:
        """Count the table of a rematch. A bot account that may not create tables may accept one that is offered."""
        if bot is not None and not bot.may_create and not live_table.table.rematch_offers:
            raise Refused("bot-may-not-create")
        context.limits.take_table(user_id or "", network)

    metrics = context.live_tables.metrics
    metrics.count_connection(1)
    try:
        await socket.accept()
        limits = ConnectionLimits(
            count_rematch,
            partial(count_phrase, context, user_id or "", table, None if bot is None else bot.owner_id),
            partial(context.limits.messages.count, network),
            partial(context.limits.messages.delay, network),
        )
        viewer = Viewer(user_id, network)
        async with watched_token(context, bot, network, viewer.drop):
            if is_banned(socket, user_id, bot):  # since it was checked
                await socket.close(close_code("banned"), "banned")
            else:
                await connection.serve(socket, context.live_tables.services, live_table, viewer, limits)
        await transport.wait_closed(socket.scope)
    finally:
        metrics.count_connection(-1)
        context.limits.close_connection(counted)


async def _see_player(socket: AnyWebSocket, live_table: LiveTable, user_id: str) -> None:
    """Record the browser of a player; what is new may show that the game does not count."""
    if await context_of(socket).links.see_request(socket, user_id):
        await live_table.renew_exclusion()


ROUTES = (
    list_tables,
    create_table,
    show_table,
    join_table,
    seat_bot,
    leave_seat,
    give_hint,
    show_record,
    live,
)
