"""Routes of bot accounts: those of their owners, the bots that can be challenged, and what bots hear of."""

import asyncio
import contextlib
import logging
import secrets
from typing import Any

from litestar import delete, get, patch, post, websocket
from litestar.params import FromPath, FromQuery, JSONBody

from sevenhues import protocol
from sevenhues.core.rng import Rng
from sevenhues.server import transport
from sevenhues.server.accounts import bot_accounts, cookies, names
from sevenhues.server.accounts.bot_accounts import ALL_GAMES, MAX_BOTS, BotAccount, NamedBot
from sevenhues.server.answers.games import game_named
from sevenhues.server.answers.statuses import close_code
from sevenhues.server.client_address import client_network
from sevenhues.server.http.context import (
    AnyRequest,
    AnyWebSocket,
    AppContext,
    check_name,
    check_not_deleted,
    context_of,
    count_read,
    is_banned,
    require_bot,
    require_user,
    table_named,
)
from sevenhues.server.http.origin_check import check_host, check_origin
from sevenhues.server.live import connection
from sevenhues.server.live.bot_connections import EventStream
from sevenhues.server.live.connection import MessageLimit
from sevenhues.server.ratings import contests
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands
from sevenhues.server.table.errors import Refused

MAX_ONLINE = 100  # bots that are listed
log = logging.getLogger("sevenhues")


@get("/api/bots", tags=["bots"])
async def list_bots(request: AnyRequest) -> protocol.BotAccountList:
    """List the caller's bot accounts."""
    context = context_of(request)
    user_id = await require_user(request)
    bots = await context.store.read(bot_accounts.list_bots(user_id))
    return protocol.BotAccountList([_on_wire(context, one) for one in bots], MAX_BOTS)


@post("/api/bots", tags=["bots"])
async def create_bot(request: AnyRequest, data: JSONBody[protocol.NewBotAccount]) -> protocol.NewBotToken:
    """Create a bot account. Its token is sent once; the bot sends it as Authorization: Bearer."""
    context, owner_id = await _changing(request)
    bot_id, token = cookies.new_user_id(), bot_accounts.new_token()
    name = await check_name(context, bot_id, data.name)
    bot = BotAccount(
        bot_id,
        contests.player_of(bot_id).id,
        owner_id,
        bot_accounts.token_digest(token),
        _stored_games(data.games),
        data.may_create,
        context.live_tables.now(),
    )
    if not await context.store.write(bot_accounts.create(bot, name)):
        raise Refused("too-many-bots", most=MAX_BOTS)
    await check_not_deleted(request, owner_id)
    return protocol.NewBotToken(_on_wire(context, NamedBot(bot, name)), token)


@patch("/api/bots/{player:str}", tags=["bots"], status_code=200)
async def change_bot(
    request: AnyRequest, player: FromPath[str], data: JSONBody[protocol.BotAccountChange]
) -> protocol.BotAccount:
    """Rename one of the caller's bots, and change what it may do from now on."""
    context, owner_id = await _changing(request)
    known = await _own_bot(context, owner_id, player)
    name = known.name if data.name == known.name else await check_name(context, known.bot.user_id, data.name)
    scope = bot_accounts.set_scope(owner_id, player, _stored_games(data.games), data.may_create)
    if not await context.store.write(scope):
        raise Refused("no-bot-account")
    await context.store.rename_user(known.bot.user_id, name or "", context.live_tables.now())
    return _on_wire(context, await _own_bot(context, owner_id, player))


@post("/api/bots/{player:str}/token", tags=["bots"])
async def replace_token(request: AnyRequest, player: FromPath[str]) -> protocol.NewBotToken:
    """Give one of the caller's bots a new token. The old one is revoked, and its connections are closed."""
    context, owner_id = await _changing(request)
    token = bot_accounts.new_token()
    await _set_token(context, owner_id, player, bot_accounts.token_digest(token))
    return protocol.NewBotToken(_on_wire(context, await _own_bot(context, owner_id, player)), token)


@delete("/api/bots/{player:str}/token", tags=["bots"], status_code=200)
async def revoke_token(request: AnyRequest, player: FromPath[str]) -> protocol.BotAccount:
    """Revoke the token of one of the caller's bots: its connections are closed, and its requests refused."""
    context, owner_id = await _changing(request)
    await _set_token(context, owner_id, player, None)
    return _on_wire(context, await _own_bot(context, owner_id, player))


@delete("/api/bots/{player:str}", tags=["bots"], status_code=200)
async def delete_bot(request: AnyRequest, player: FromPath[str]) -> None:
    """Delete one of the caller's bots: its token, its name and its ratings; it resigns its games."""
    context, owner_id = await _changing(request)
    known = await _own_bot(context, owner_id, player)
    await context.live_tables.delete_user(known.bot.user_id)
    context.live_tables.bot_connections.wake()


@get("/api/bots/online", tags=["bots"])
async def list_online_bots(request: AnyRequest, game: FromQuery[str | None] = None) -> protocol.OnlineBots:
    """List the bot accounts that can be challenged now, to one game or to any."""
    context = context_of(request)
    game_id = game_named(game).id if game is not None else None
    online = await context.store.read(bot_accounts.online_bots(context.live_tables.now(), MAX_ONLINE))
    return protocol.OnlineBots(
        [
            protocol.OnlineBot(one.bot.player, _name(one), games_on_wire(one.bot))
            for one in online
            if game_id is None or one.bot.may_play(game_id)
        ]
    )


@post("/api/tables/{table:str}/decline", tags=["bots"], status_code=200)
async def decline_challenge(
    request: AnyRequest, table: FromPath[str], data: JSONBody[protocol.Decline]
) -> protocol.TableInfo:
    """Decline the challenge of the calling bot account to take a seat."""
    context = context_of(request)
    bot = await require_bot(request)
    context.limits.seat_changes.take(client_network(request.scope))
    live_table = await table_named(request, table)
    await live_table.act(lambda table, now_ms: commands.decline_challenge(table, bot.user_id, data.reason))
    return live_table.info(bot.user_id)


@get("/api/tables/{table:str}/seats/{seat:int}/sample", tags=["bots"])
async def show_sample(request: AnyRequest, table: FromPath[str], seat: FromPath[int]) -> protocol.Sample:
    """Return a deal that is as likely as the true one, given all that the seat of the calling bot account has seen."""
    context = context_of(request)
    bot = await require_bot(request)
    count_read(request, table)
    current = await context.live_tables.current(table)
    position = commands.playing_position(current, bot.user_id, seat)
    sample = position.resample(seat, Rng(secrets.randbits(60)))
    moves = [protocol.Moved(*move) for move in current.moves]
    return protocol.Sample(len(moves), current.game.setup(sample), moves)


@websocket("/api/bots/events")
async def events(socket: AnyWebSocket) -> None:
    """Open the websocket over which a bot hears of challenges and of its games; see `BotEvent`."""
    context = context_of(socket)
    network = client_network(socket.scope)
    try:
        check_host(socket.scope, context.settings.allowed_hosts)
        check_origin(socket.scope, context.settings.origins)
        context.limits.connects.take(network)
        bot = await require_bot(socket)
        counted = context.limits.open_connection(bot.user_id, network)
    except (Refused, StoreFailed) as error:
        key = error.key if isinstance(error, Refused) else "store-failed"
        await socket.accept()
        await socket.close(close_code(key), key)
        await transport.wait_closed(socket.scope)
        return
    metrics = context.live_tables.metrics
    metrics.count_connection(1)
    try:
        await socket.accept()
        stream = EventStream(bot, network)
        if is_banned(socket, bot.user_id, bot):  # since it was checked
            stream.drop("banned")
        await _serve_events(context, socket, stream)
        await transport.wait_closed(socket.scope)
    finally:
        metrics.count_connection(-1)
        context.limits.close_connection(counted)


async def _serve_events(context: AppContext, socket: AnyWebSocket, stream: EventStream) -> None:
    """Send a bot its events until either side closes the connection."""
    connections, services = context.live_tables.bot_connections, context.live_tables.services
    connections.add(stream)
    services.open_connections += 1
    sending = asyncio.create_task(_send_events(socket, stream))
    receiving = asyncio.create_task(_ignore_messages(socket, stream))
    gone = asyncio.create_task(transport.wait_gone(socket.scope))
    ends: list[asyncio.Future[Any]] = [sending, receiving, gone, stream.dropped]
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, receiving, gone):
            task.cancel()
        await asyncio.gather(sending, receiving, gone, return_exceptions=True)
        try:
            await connections.remove(stream)
            if stream.dropped.done():
                context.live_tables.metrics.count_dropped_connection(stream.dropped.result())
                await connection.close(socket, stream.dropped.result())
        finally:
            services.open_connections -= 1


async def _send_events(socket: AnyWebSocket, stream: EventStream) -> None:
    while True:
        await transport.send_texts(socket.scope, socket.send, [await stream.queue.get()])


async def _ignore_messages(socket: AnyWebSocket, stream: EventStream) -> None:
    """Receive what a bot sends, which has no meaning here; too many messages close the connection."""
    limit = MessageLimit()
    with contextlib.suppress(*connection.DISCONNECTED):
        while limit.allow():
            await socket.receive_data(mode="text")
        stream.drop("flood")


async def _changing(request: AnyRequest) -> tuple[AppContext, str]:
    """Return the context and the owner of bots, whose change is counted."""
    owner_id = await require_user(request)
    context = context_of(request)
    context.limits.account_changes.take(client_network(request.scope))
    return context, owner_id


async def _own_bot(context: AppContext, owner_id: str, player: str) -> NamedBot:
    found = await context.store.read(bot_accounts.bot_of_player(player))
    if found is None or found.bot.owner_id != owner_id:
        raise Refused("no-bot-account")
    return found


async def _set_token(context: AppContext, owner_id: str, player: str, digest: str | None) -> None:
    if not await context.store.write(bot_accounts.set_token(owner_id, player, digest)):
        raise Refused("no-bot-account")
    context.live_tables.bot_connections.wake()


def _stored_games(games: list[str] | None) -> str:
    return ALL_GAMES if games is None else " ".join(dict.fromkeys(game_named(game).id for game in games))


def games_on_wire(bot: BotAccount) -> list[str] | None:
    """Return the games that a bot may play; None for all."""
    return None if bot.games == ALL_GAMES else bot.games.split()


def _name(named: NamedBot) -> str:
    return named.name or names.guest_name(named.bot.user_id)


def _on_wire(context: AppContext, named: NamedBot) -> protocol.BotAccount:
    bot = named.bot
    return protocol.BotAccount(
        bot.player,
        _name(named),
        games_on_wire(bot),
        bot.may_create,
        bot.token_digest is not None,
        bot.is_online(context.live_tables.now()),
        bot.created,
        bot.used,
    )


ROUTES = (
    list_bots,
    create_bot,
    change_bot,
    replace_token,
    revoke_token,
    delete_bot,
    list_online_bots,
    decline_challenge,
    show_sample,
    events,
)
