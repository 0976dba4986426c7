"""Routes of the admin API about tables, announcements, the audit log and the processes; and the admin page."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from litestar import MediaType, Response, delete, get, post
from litestar.params import FromPath, FromQuery, JSONBody

from sevenhues.protocol import TableInfo
from sevenhues.protocol import admin as protocol
from sevenhues.server import openapi
from sevenhues.server.admin.acts import MAX_ANNOUNCED
from sevenhues.server.admin.authentication import AdminAccess
from sevenhues.server.admin.requests import acts_of
from sevenhues.server.answers import tables as answers
from sevenhues.server.cluster.process_reports import ProcessReport
from sevenhues.server.http.context import AnyRequest, context_of
from sevenhues.server.http.static_files import media_type
from sevenhues.server.operators import announcements, audit_log, tables
from sevenhues.server.operators.announcements import Announcement
from sevenhues.server.table.errors import Refused

FILES = Path(__file__).with_name("page")
MAX_TABLES = 50
LOG_PAGE = 100
MAX_NUMBER = 2**53


@get("/api/admin/tables", tags=["tables"])
async def list_tables(
    request: AnyRequest,
    q: FromQuery[str] = "",
    status: FromQuery[Literal["waiting", "playing", "finished"] | None] = None,
) -> protocol.AdminTables:
    """Search for tables by a part of their id or by the user id of a player; the latest first."""
    context = context_of(request)
    page = await context.store.read(tables.find(q[:100].strip().lower(), status, MAX_TABLES))
    listed = await answers.table_list(context.live_tables, page, None)
    return protocol.AdminTables(listed.tables)


@get("/api/admin/tables/{table:str}", tags=["tables"])
async def show_table(request: AnyRequest, table: FromPath[str]) -> TableInfo:
    """Describe a table, as a watcher sees it."""
    return (await context_of(request).live_tables.get_current(table)).info(None)


@post("/api/admin/tables/{table:str}/end", tags=["tables"], status_code=200)
async def end_table(
    request: AnyRequest, table: FromPath[str], data: JSONBody[protocol.AdminEndTable]
) -> protocol.AdminDone:
    """End the game of a table without a rating; remove a table whose game has not started."""
    await acts_of(request).end_table(table, data.reason)
    return protocol.AdminDone()


@get("/api/admin/announcements", tags=["announcements"])
async def list_announcements(request: AnyRequest) -> protocol.AdminAnnouncements:
    """List the announcements that have not ended."""
    context = context_of(request)
    current = await context.store.read(announcements.current(context.live_tables.now(), MAX_ANNOUNCED))
    return protocol.AdminAnnouncements([_announcement(one) for one in current])


@post("/api/admin/announcements", tags=["announcements"])
async def announce(request: AnyRequest, data: JSONBody[protocol.AdminAnnounce]) -> protocol.AdminAnnouncement:
    """Announce a maintenance window to everybody, also to those who connect later."""
    return _announcement(await acts_of(request).announce(data.starts, data.seconds, data.note))


@delete("/api/admin/announcements/{announcement:str}", tags=["announcements"], status_code=200)
async def withdraw(request: AnyRequest, announcement: FromPath[str]) -> protocol.AdminDone:
    """Withdraw an announcement."""
    await acts_of(request).withdraw(announcement)
    return protocol.AdminDone()


def _announcement(one: Announcement) -> protocol.AdminAnnouncement:
    return protocol.AdminAnnouncement(*one)


@get("/api/admin/log", tags=["log"])
async def show_log(
    request: AnyRequest, before: FromQuery[int | None] = None, target: FromQuery[str | None] = None
) -> protocol.AdminLog:
    """List the acts of operators, all of them or those on a target, the newest first."""
    if before is not None and not 0 <= before <= MAX_NUMBER:
        raise Refused("bad-request", what="before: give back what `more` was")
    context = context_of(request)
    last = MAX_NUMBER if before is None else before
    found = await context.store.read(audit_log.latest(last, LOG_PAGE + 1, target))
    entries = [protocol.AdminLogEntry(*entry) for entry in found[:LOG_PAGE]]
    return protocol.AdminLog(entries, entries[-1].number if len(found) > LOG_PAGE else None)


@get("/api/admin/status", tags=["processes"], sync_to_thread=False)
def show_status(request: AnyRequest) -> protocol.AdminStatus:
    """Return the load of every process, and the latest warnings and errors in its log."""
    context = context_of(request)
    reports = [context.monitor.report(), *context.live_tables.reports_of_others()]
    return protocol.AdminStatus([_process(report) for report in reports])


def _process(report: ProcessReport) -> protocol.AdminProcess:
    return msgspec.convert(report, protocol.AdminProcess, from_attributes=True)


@post("/api/admin/link", tags=["page"], status_code=200)
async def create_link(request: AnyRequest) -> protocol.AdminLink:
    """Create a link that opens the admin page; it is valid once, for five minutes."""
    access: AdminAccess = request.app.state.access
    acts = acts_of(request)
    await acts.note("link", acts.operator.name)
    code, expires = access.link_code(acts.operator)
    base = context_of(request).settings.public_url or str(request.base_url)
    return protocol.AdminLink(f"{base.rstrip('/')}/admin/enter/{code}", expires)


@get("/api/admin/schema", tags=["page"])
async def show_schema(request: AnyRequest) -> Response[bytes]:
    """Return this description."""
    return Response(msgspec.json.encode(openapi.admin_document(request.app)), media_type=MediaType.JSON)


@cache
def _files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in FILES.iterdir()}


@get(["/admin", "/admin/{name:str}"], include_in_schema=False, sync_to_thread=False)
def show_page(request: AnyRequest, name: FromPath[str] = "index.html") -> Response[Any]:
    """Serve the admin page and its parts."""
    body = _files().get(name)
    if body is None:
        raise Refused("no-page", path=f"/admin/{name[:60]}")
    return Response(body, media_type=media_type(name), headers={"cache-control": "no-store"})


ROUTES = (
    list_tables,
    show_table,
    end_table,
    list_announcements,
    announce,
    withdraw,
    show_log,
    show_status,
    create_link,
    show_schema,
    show_page,
)
