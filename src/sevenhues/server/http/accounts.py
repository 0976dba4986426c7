"""Routes of the caller's account: a guest, known by a cookie."""

from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from sevenhues import protocol
from sevenhues.server.accounts import cookies
from sevenhues.server.client_address import client_network
from sevenhues.server.http.context import (
    AnyRequest,
    caller_of,
    check_name,
    check_not_deleted,
    context_of,
    name_of,
    refuse_bots,
    require_user,
)
from sevenhues.server.http.link_recorder import device_of
from sevenhues.server.ratings import contests
from sevenhues.server.table.errors import Refused


@get("/api/me", tags=["account"])
async def show_me(request: AnyRequest) -> Response[protocol.Me]:
    """Return the caller's account; without one, create a guest with a cookie. A bot account gets no cookie."""
    user_id, bot = await caller_of(request)
    if bot is not None:
        return Response(_me(bot.user_id, await name_of(context_of(request), bot.user_id), is_bot=True))
    return await signed_in(request, user_id or cookies.new_user_id())


@patch("/api/me", tags=["account"])
async def rename_me(request: AnyRequest, data: JSONBody[protocol.Rename]) -> protocol.Me:
    """Choose a name."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.account_changes.take(client_network(request.scope))
    name = await check_name(context, user_id, data.name)
    await context.store.rename_user(user_id, name, context.live_tables.now())
    return _me(user_id, name)


@delete("/api/me", tags=["account"], status_code=200)
async def delete_me(request: AnyRequest) -> Response[None]:
    """Delete the caller's data: their seats are freed or resigned, and their name is removed from their tables."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.account_changes.take(client_network(request.scope))
    await context.live_tables.delete_user(user_id)
    return signed_out(request)


@post("/api/me/transfer-code", tags=["account"])
async def create_transfer_code(request: AnyRequest) -> protocol.TransferCode:
    """Create a code that transfers the caller's account to another device; valid once, for ten minutes."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.account_changes.take(client_network(request.scope))
    code, now_ms = cookies.new_transfer_code(), context.live_tables.now()
    expires = now_ms + cookies.TRANSFER_CODE_MS
    await context.store.save_transfer_code(cookies.transfer_code_digest(code), user_id, expires, now_ms)
    await check_not_deleted(request, user_id)
    return protocol.TransferCode(code, expires)


@post("/api/me/transfer", tags=["account"], status_code=200)
async def transfer_account(request: AnyRequest, data: JSONBody[protocol.Transfer]) -> Response[protocol.Me]:
    """Sign in with a transfer code."""
    context = context_of(request)
    await refuse_bots(request)
    context.limits.transfers.take(client_network(request.scope))
    previous = (await caller_of(request)).user_id
    user_id = await context.store.redeem_transfer_code(
        cookies.transfer_code_digest(data.code), context.live_tables.now()
    )
    if user_id is None:
        raise Refused("no-code")
    return await moved(request, previous, user_id)


async def moved(request: AnyRequest, previous: str | None, user_id: str) -> Response[protocol.Me]:
    """Sign a browser in as another user, and record that both were signed in there."""
    device = device_of(request) or cookies.new_device_id()
    await context_of(request).links.see_device(device, *[one for one in (previous, user_id) if one is not None])
    return await signed_in(request, user_id, device)


async def signed_in(request: AnyRequest, user_id: str, device: str | None = None) -> Response[protocol.Me]:
    """Answer with the account of a user, with the user's cookie and with the cookie of the browser."""
    context = context_of(request)
    me = _me(user_id, await name_of(context, user_id))
    device = device or device_of(request) or cookies.new_device_id()
    account_cookie = _cookie(request, cookies.COOKIE_NAME, context.keys.sign(user_id), cookies.COOKIE_SECONDS)
    device_cookie = _cookie(request, cookies.DEVICE_COOKIE_NAME, device, cookies.COOKIE_SECONDS)
    return Response(me, cookies=[account_cookie, device_cookie])


def signed_out(request: AnyRequest) -> Response[None]:
    """Answer without content, and delete the account's cookie. The cookie of the browser stays."""
    return Response(None, cookies=[_cookie(request, cookies.COOKIE_NAME, "", 0)])


def _me(user_id: str, name: str, is_bot: bool = False) -> protocol.Me:
    return protocol.Me(user_id, name, contests.player_of(user_id).id, is_bot)


def _cookie(request: AnyRequest, name: str, value: str, max_age: int) -> Cookie:
    return Cookie(
        name,
        path="/",
        value=value,
        max_age=max_age,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


ROUTES = (show_me, rename_me, delete_me, create_transfer_code, transfer_account)
