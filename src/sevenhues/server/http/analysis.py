"""Routes of the analysis of finished games: the report, and the odds of hidden faces."""

import msgspec
from litestar import get, post
from litestar.params import FromPath, FromQuery

from sevenhues import protocol
from sevenhues.core.position import WATCHER
from sevenhues.server.answers.replays import beliefs_answer, beliefs_at, check_beliefs
from sevenhues.server.client_address import client_network
from sevenhues.server.http.context import AnyRequest, context_of, require_user, table_named
from sevenhues.server.jobs.analysis_worker import AnalysisStatus


@get("/api/tables/{table:str}/analysis", tags=["tables"])
async def show_analysis(request: AnyRequest, table: FromPath[str]) -> protocol.Analysis:
    """Return the analysis of a finished game, or its progress."""
    context = context_of(request)
    live_table = await table_named(request, table)
    return _analysis(await context.analyses.status(live_table.table))


@post("/api/tables/{table:str}/analysis", tags=["tables"], status_code=200)
async def start_analysis(request: AnyRequest, table: FromPath[str]) -> protocol.Analysis:
    """Start the analysis of a finished game in the background; request it until it is done. The result is stored."""
    context = context_of(request)
    await require_user(request)
    finished = (await table_named(request, table)).table
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
    finished = (await table_named(request, table)).table
    check_beliefs(finished, ply, seat)
    network = client_network(request.scope)
    context.limits.odds.take(network)
    beliefs = await context.beliefs.get((table, ply, seat), network, lambda: beliefs_at(finished, ply, seat))
    return beliefs_answer(finished, ply, seat, beliefs)


ROUTES = (show_analysis, start_analysis, show_beliefs)
