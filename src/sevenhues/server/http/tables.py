"""The routes of the API: games, who one is, tables; and the way into a table's websocket."""

import logging
from typing import Any, Literal

from litestar import MediaType, Request, Response, WebSocket, delete, get, patch, post, websocket
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery, JSONBody

from sevenhues import bots, protocol
from sevenhues.core import registry
from sevenhues.core.errors import BadOption
from sevenhues.core.game import ENGLISH, Game
from sevenhues.protocol import TableInfo
from sevenhues.server.accounts import cookies, names
from sevenhues.server.errors import Declined
from sevenhues.server.http.origin_check import address_of, refuse_foreign
from sevenhues.server.live import hints
from sevenhues.server.live.connection import converse
from sevenhues.server.live.live_table import Room
from sevenhues.server.live.live_tables import House
from sevenhues.server.ratings import rating_model
from sevenhues.server.store import Listed, StoreFailed
from sevenhues.server.table import commands

log = logging.getLogger("sevenhues")
PAGE = 24  # tables a list holds
AnyRequest = Request[Any, Any, Any]
Which = Literal["mine", "open", "live", "finished"]
STATUS = {"open": "waiting", "live": "playing", "finished": "finished"}


def house_of(connection: AnyRequest | WebSocket[Any, Any, Any]) -> House:
    found: House = connection.app.state.house
    return found


async def who(connection: AnyRequest | WebSocket[Any, Any, Any]) -> str | None:
    """Tell who asks, from the cookie; None for somebody without one, or one who was deleted."""
    house = house_of(connection)
    by = house.keys.read(connection.cookies.get(cookies.COOKIE))
    if by is None:
        return None
    known = await house.store.identity(by)
    return None if known is not None and known.deleted else by


async def somebody(request: AnyRequest) -> str:
    by = await who(request)
    if by is None:
        raise Declined("no-identity")
    return by


async def name_of(house: House, by: str) -> str:
    known = await house.store.identity(by)
    return known.name if known is not None and known.name else names.guest_name(by)


def me_of(by: str, name: str) -> protocol.Me:
    return protocol.Me(by, name, rating_model.player_of(by).id)


def cookie(request: AnyRequest, value: str, lasts: int) -> Cookie:
    return Cookie(
        cookies.COOKIE,
        path="/",
        value=value,
        max_age=lasts,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def game_named(name: str) -> Game[Any]:
    try:
        return registry.load(name)
    except BadOption as error:
        raise Declined("no-game", what=str(error)) from None


@get("/api/games", tags=["games"], sync_to_thread=False)
def list_games() -> list[protocol.GameInfo]:
    """List the games that can be played here."""
    return [_described(registry.load(name)) for name in registry.names()]


def _described(game: Game[Any]) -> protocol.GameInfo:
    options = [
        protocol.Choice(option.name, list(option.choices), option.about, option.helps) for option in game.options
    ]
    levels = [protocol.LevelInfo(level.name, level.about) for level in game.levels() or bots.levels(game)]
    return protocol.GameInfo(
        game.id,
        game.title,
        game.min_seats,
        game.max_seats,
        game.simultaneous,
        game.rules_version,
        options,
        levels,
        game.lesson() is not None,
    )


@get("/api/games/{game:str}/rules", tags=["games"], media_type="text/markdown", sync_to_thread=False)
def show_rules(game: FromPath[str], language: FromQuery[str] = ENGLISH) -> str:
    """Return a game's rules in our own words, numbered; in English where they are not told in that language."""
    return game_named(game).rules(language)


@get("/api/me", tags=["identity"])
async def show_me(request: AnyRequest) -> Response[protocol.Me]:
    """Tell who the caller is; somebody new becomes a guest with a cookie."""
    house = house_of(request)
    by = await who(request) or cookies.new_identity()
    me = me_of(by, await name_of(house, by))
    return Response(me, cookies=[cookie(request, house.keys.sign(by), cookies.LASTS)])


@patch("/api/me", tags=["identity"])
async def rename_me(request: AnyRequest, data: JSONBody[protocol.Rename]) -> protocol.Me:
    """Choose a name."""
    house = house_of(request)
    by = await somebody(request)
    name = commands.name_of(data.name)
    await house.store.name_identity(by, name, house.now())
    return me_of(by, name)


@delete("/api/me", tags=["identity"], status_code=200)
async def delete_me(request: AnyRequest) -> Response[None]:
    """Forget the caller: they leave or resign their seats, and their name is taken off their tables."""
    house = house_of(request)
    await house.forget_person(await somebody(request))
    return Response(None, cookies=[cookie(request, "", 0)])


@post("/api/me/carry", tags=["identity"])
async def carry_me(request: AnyRequest) -> protocol.CarryCode:
    """Make a code that lets another device be the caller too; good once, for ten minutes."""
    house = house_of(request)
    by = await somebody(request)
    code, expires = cookies.new_code(), house.now() + cookies.CARRY_LASTS
    await house.store.offer_carry(cookies.digest(code), by, expires)
    return protocol.CarryCode(code, expires)


@post("/api/me/claim", tags=["identity"], status_code=200)
async def claim_me(request: AnyRequest, data: JSONBody[protocol.Claim]) -> Response[protocol.Me]:
    """Become who a code was made for."""
    house = house_of(request)
    house.limits.claims.spend(address_of(request.scope))
    by = await house.store.take_carry(cookies.digest(data.code), house.now())
    if by is None:
        raise Declined("no-code")
    me = me_of(by, await name_of(house, by))
    return Response(me, cookies=[cookie(request, house.keys.sign(by), cookies.LASTS)])


@get("/api/tables", tags=["tables"])
async def list_tables(
    request: AnyRequest,
    which: FromQuery[Which],
    game: FromQuery[str | None] = None,
    before: FromQuery[str | None] = None,
) -> protocol.TableList:
    """List the caller's tables, or public ones: open to join, live to watch, finished to replay; newest first."""
    house = house_of(request)
    by = await who(request)
    after = _page(before)
    if which == "mine":
        found = await house.store.list_of(by, after, PAGE) if by is not None else []
    else:
        found = await house.store.list_public(STATUS[which], game, after, PAGE)
    tables = [room.info(by) for room in [await _found(house, listed.id) for listed in found] if room is not None]
    more = f"{found[-1].updated}~{found[-1].id}" if len(found) == PAGE else None
    return protocol.TableList(tables, more)


async def _found(house: House, id: str) -> Room | None:
    """Find a table of a list; None if it is no more, or cannot be read: the others can."""
    try:
        return await house.room(id)
    except Declined:
        return None
    except StoreFailed:
        raise
    except Exception:
        log.exception("a table cannot be read", extra={"table": id})
        return None


def _page(before: str | None) -> Listed | None:
    if before is None:
        return None
    updated, _, id = before.partition("~")
    if not (updated.isascii() and updated.isdecimal() and len(updated) < 16 and id):
        raise Declined("bad-request", what="before: give back what `more` was")
    return Listed(id, int(updated))


@post("/api/tables", tags=["tables"])
async def lay_table(request: AnyRequest, data: JSONBody[protocol.NewTable]) -> TableInfo:
    """Lay a table. Its commitment is published here, before anybody else has sat down."""
    house = house_of(request)
    by = await somebody(request)
    house.limits.lay(by, address_of(request.scope))
    room = await house.lay(data, by, await name_of(house, by))
    return room.info(by)


@get("/api/tables/{table:str}", tags=["tables"])
async def show_table(request: AnyRequest, table: FromPath[str]) -> TableInfo:
    """Describe a table."""
    room = await house_of(request).room(table)
    return room.info(await who(request))


@post("/api/tables/{table:str}/join", tags=["tables"], status_code=200)
async def join_table(request: AnyRequest, table: FromPath[str], data: JSONBody[protocol.Join]) -> TableInfo:
    """Take an open seat; a second one too, to share this device with somebody."""
    house = house_of(request)
    by = await somebody(request)
    room = await house.room(table)
    name = commands.name_of(data.name) if data.name is not None else await name_of(house, by)
    await room.act(lambda table, now: commands.sit(table, by, name, data.seat))
    return room.info(by)


@post("/api/tables/{table:str}/seats/{seat:int}/bot", tags=["tables"], status_code=200)
async def sit_bot(
    request: AnyRequest, table: FromPath[str], seat: FromPath[int], data: JSONBody[protocol.SitBot]
) -> TableInfo:
    """Let a bot take an open seat of a table of one's own."""
    by = await somebody(request)
    room = await house_of(request).room(table)
    await room.act(lambda table, now: commands.sit_bot(table, by, seat, data.level))
    return room.info(by)


@post("/api/tables/{table:str}/seats/{seat:int}/leave", tags=["tables"], status_code=200)
async def leave_seat(request: AnyRequest, table: FromPath[str], seat: FromPath[int]) -> TableInfo:
    """Free a seat before the game has begun. Later a seat is kept: come back whenever you like, or resign."""
    by = await somebody(request)
    room = await house_of(request).room(table)
    await room.act(lambda table, now: commands.leave(table, by, seat))
    return room.info(by)


@post("/api/tables/{table:str}/seats/{seat:int}/hint", tags=["tables"], status_code=200)
async def give_hint(request: AnyRequest, table: FromPath[str], seat: FromPath[int]) -> protocol.Advised:
    """Tell what the game's best bot would do in a seat of one's own, from what that seat has seen; see `hints`."""
    by = await somebody(request)
    return await hints.advise(await house_of(request).room(table), by, seat)


@get("/api/tables/{table:str}/record", tags=["tables"])
async def show_record(request: AnyRequest, table: FromPath[str]) -> Response[bytes]:
    """Return the record of a finished game, with the proof of its deal."""
    room = await house_of(request).room(table)
    if room.table.result is None:
        raise Declined("not-over")
    return Response(room.table.record_text().encode(), media_type=MediaType.JSON)


@websocket("/api/tables/{table:str}/live")
async def live(socket: WebSocket[Any, Any, Any], table: FromPath[str]) -> None:
    """Open a table's websocket; see `FromClient` and `FromServer`."""
    house = house_of(socket)
    try:
        refuse_foreign(socket.scope, house.settings.origins)
        room = await house.room(table)
        by = await who(socket)
        counted = house.limits.connect(by, address_of(socket.scope))
    except Declined as error:
        await socket.accept()
        await socket.close(4000 + error.status % 1000, error.key)
        return
    try:
        await socket.accept()
        await converse(socket, house, room, by)
    finally:
        house.limits.part(counted)


ROUTES = (
    list_games,
    show_rules,
    show_me,
    rename_me,
    delete_me,
    carry_me,
    claim_me,
    list_tables,
    lay_table,
    show_table,
    join_table,
    sit_bot,
    leave_seat,
    give_hint,
    show_record,
    live,
)
