"""Routes of the analysis of finished games: the report, and the odds of hidden faces."""

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery

from sevenhues import protocol
from sevenhues.core import record
from sevenhues.core.position import WATCHER
from sevenhues.core.record import Record
from sevenhues.core.report_types import Beliefs
from sevenhues.server.client_address import client_network
from sevenhues.server.http.context import AnyRequest, context_of, require_user
from sevenhues.server.jobs.analysis_worker import AnalysisStatus
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.replay import check_finished


@get("/api/tables/{table:str}/analysis", tags=["tables"])
async def show_analysis(request: AnyRequest, table: FromPath[str]) -> protocol.Analysis:
    """Return the analysis of a finished game, or its progress."""
    context = context_of(request)
    live_table = await context.live_tables.get(table)
    return _analysis(await context.analyses.status(live_table.table))


@post("/api/tables/{table:str}/analysis", tags=["tables"], status_code=200)
async def start_analysis(request: AnyRequest, table: FromPath[str]) -> protocol.Analysis:
    """Start the analysis of a finished game in the background; request it until it is done. The result is stored."""
    context = context_of(request)
    await require_user(request)
    finished = (await context.live_tables.get(table)).table
    status = await context.analyses.status(finished)
    if status.state == "none":
        network = client_network(request.scope)
        context.limits.analyses.take(network)
        status = await context.analyses.start(finished, network)
    return _analysis(status)


def _analysis(status: AnalysisStatus) -> protocol.Analysis:
    report = None if status.report is None else msgspec.json.decode(status.report, type=protocol.AnalysisReport)
    return protocol.Analysis(status.state, status.done, status.of, report)


@get("/api/tables/{table:str}/beliefs", tags=["tables"])
async def show_beliefs(
    request: AnyRequest, table: FromPath[str], ply: FromQuery[int], seat: FromQuery[int] = WATCHER
) -> protocol.Beliefs:
    """Return the exact odds of every hidden face at a ply of a finished game, given all that a seat had seen.

    `seat` -1 is a watcher.
    """
    context = context_of(request)
    finished = (await context.live_tables.get(table)).table
    check_finished(finished)
    if not WATCHER <= seat < len(finished.seats):
        raise Refused("no-seat", seat=seat)
    check_finished(finished, ply)
    network = client_network(request.scope)
    context.limits.odds.take(network)
    beliefs = await context.beliefs.get((table, ply, seat), network, lambda: _beliefs(finished.record(), ply, seat))
    if beliefs is None:
        raise Refused("no-odds", title=finished.game.title)
    faces = [protocol.Belief(**face.to_json()) for face in beliefs.faces]
    return protocol.Beliefs(ply, seat, beliefs.symbols, faces)


def _beliefs(finished: Record, ply: int, seat: int) -> Beliefs | None:
    for number, position in enumerate(record.replay(finished)):
        if number == ply:
            return finished.game.bot_support().beliefs(position, seat)
    return None


ROUTES = (show_analysis, start_analysis, show_beliefs)
