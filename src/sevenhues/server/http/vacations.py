"""Routes of holidays, which stop the caller's clocks in games over days."""

from litestar import delete, get, post
from litestar.params import JSONBody

from sevenhues import protocol
from sevenhues.server.accounts import vacations
from sevenhues.server.client_address import client_network
from sevenhues.server.http.context import AnyRequest, AppContext, check_not_deleted, context_of, require_user
from sevenhues.server.store import Conflict
from sevenhues.server.table.errors import Refused


@get("/api/me/vacation", tags=["account"])
async def show_vacation(request: AnyRequest) -> protocol.Vacation:
    """Tell until when the caller is on holiday, and how many days are left."""
    return await _vacation(context_of(request), await require_user(request))


@post("/api/me/vacation", tags=["account"])
async def begin_vacation(request: AnyRequest, data: JSONBody[protocol.BeginVacation]) -> protocol.Vacation:
    """Begin some whole days of holidays: the caller's clocks stand still in games over days."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.account_changes.take(client_network(request.scope))
    try:
        begun = await context.store.write(vacations.begin(user_id, data.days, context.live_tables.now()))
    except Conflict:  # another request has just begun them
        begun = False
    if not begun:
        now = await _vacation(context, user_id)
        if now.until is not None:
            raise Refused("on-vacation")
        raise Refused("too-few-days", left=now.days_left)
    await check_not_deleted(request, user_id)
    await context.live_tables.renew_vacations(user_id)
    return await _vacation(context, user_id)


@delete("/api/me/vacation", tags=["account"], status_code=200)
async def end_vacation(request: AnyRequest) -> protocol.Vacation:
    """End the caller's holidays: the clocks go on. The days that have begun are counted."""
    context = context_of(request)
    user_id = await require_user(request)
    context.limits.account_changes.take(client_network(request.scope))
    await context.store.write(vacations.end(user_id, context.live_tables.now()))
    await context.live_tables.renew_vacations(user_id)
    return await _vacation(context, user_id)


async def _vacation(context: AppContext, user_id: str) -> protocol.Vacation:
    now_ms = context.live_tables.now()
    known = await context.store.read(vacations.vacations_of(user_id))
    until = known[0].until if known and known[0].until > now_ms else None
    return protocol.Vacation(until, vacations.days_left(known, now_ms))


ROUTES = (show_vacation, begin_vacation, end_vacation)
