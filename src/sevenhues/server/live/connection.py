"""A websocket of a table: carries out a client's messages and answers them, and sends the table's messages."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from sevenhues import protocol
from sevenhues.core.errors import BadNotation, IllegalMove
from sevenhues.server import transport
from sevenhues.server.errors import problem_of
from sevenhues.server.live import messages
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.services import Services
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands
from sevenhues.server.table.errors import Refused

MESSAGES_PER_SECOND = 40.0  # that a client may send in the long run
MAX_BURST = 120.0  # messages that a client may send at once
MAX_BYTES = 4096  # of a message
COMMIT_COST = 50.0  # messages as which a commitment counts: it may be replaced again and again
BYTES_OF_COST = 1000  # of an answer that count as a message
VIEWERS_OF_COST = 10  # connections that count as a message if an event is sent to them
CLOSE_TIMEOUT_SECONDS = 1.0
CLOSE_CODES = {"stopping": 1012, "slow": 4008, "flood": 4029, "gone": 4004, "deleted": 4001}
DISCONNECTED = (WebSocketDisconnect, RuntimeError, OSError)  # errors that mean that the client has gone
# Messages that have one answer; views are answered by the position.
Answered = (
    protocol.Ping
    | protocol.Commit
    | protocol.Ready
    | protocol.Start
    | protocol.Move
    | protocol.Resign
    | protocol.Rematch
)
log = logging.getLogger("sevenhues")
_decoder: msgspec.json.Decoder[protocol.FromClient] = msgspec.json.Decoder(protocol.FromClient)


class MessageLimit:
    """A token bucket for the messages of one client."""

    def __init__(self) -> None:
        self._tokens = MAX_BURST
        self._updated = monotonic()

    def allow(self) -> bool:
        now = monotonic()
        self._tokens = min(MAX_BURST, self._tokens + (now - self._updated) * MESSAGES_PER_SECOND) - 1
        self._updated = now
        return self._tokens >= 0


class ConnectionLimits(NamedTuple):
    """The limits that a connection shares with others of its user and its address."""

    count_table: Callable[[], None] = lambda: None  # counts a new table, and raises Refused if it is one too many
    delay: Callable[[float], float] = lambda count: 0.0  # counts messages; returns the seconds until the next one


NO_LIMITS = ConnectionLimits()


async def serve(
    socket: WebSocket[Any, Any, Any],
    services: Services,
    live_table: LiveTable,
    user_id: str | None,
    limits: ConnectionLimits = NO_LIMITS,
) -> None:
    """Serve an accepted connection until either side closes it."""
    viewer = Viewer(user_id)
    live_table.enter(viewer)
    services.open_connections += 1
    receiver = Receiver(socket, services, live_table, viewer, limits)
    sending, receiving = asyncio.create_task(_send(socket, viewer)), asyncio.create_task(receiver.run())
    ends: list[asyncio.Future[Any]] = [sending, receiving, viewer.dropped]
    try:
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        live_table.leave(viewer)
        sending.cancel()
        receiver.stop(receiving)
        try:
            for error in await asyncio.gather(sending, receiving, return_exceptions=True):
                if isinstance(error, Exception) and not isinstance(error, DISCONNECTED):
                    log.error("internal error in a connection", exc_info=error, extra={"table": live_table.table.id})
            if viewer.dropped.done():
                services.metrics.count_dropped_connection(viewer.dropped.result())
                await _close(socket, viewer.dropped.result())
        finally:
            services.open_connections -= 1


async def _close(socket: WebSocket[Any, Any, Any], reason: Any) -> None:
    """Tell the client why the connection is closed, if it still listens, and close it."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
            await socket.send_data(messages.encoder.encode(protocol.Closing(reason)).decode(), mode="text")
            await socket.close(CLOSE_CODES[reason], reason)


async def _send(socket: WebSocket[Any, Any, Any], viewer: Viewer) -> None:
    while True:
        await transport.send_texts(socket.scope, socket.send, await viewer.next_messages())


class Receiver:
    """Carries out the messages of a client one by one, each to its end even if the connection is closed meanwhile."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        services: Services,
        live_table: LiveTable,
        viewer: Viewer,
        limits: ConnectionLimits,
    ) -> None:
        self._socket = socket
        self._services = services
        self._live_table = live_table
        self._viewer = viewer
        self._limits = limits
        self._limit = MessageLimit()
        self._executing = False
        self._stopped = False

    async def run(self) -> None:
        while not self._stopped:
            data = await self._socket.receive_data(mode="text")
            if not self._limit.allow():
                self._viewer.drop("flood")
                return
            self._executing = True
            cost = await _answer(data, self._services, self._live_table, self._viewer, self._limits)
            self._executing = False
            if (seconds := self._limits.delay(cost)) > 0:
                await asyncio.sleep(seconds)

    def stop(self, task: "asyncio.Task[None]") -> None:
        """Cancel the task of `run`, unless it is executing a message: then it ends after that."""
        self._stopped = True
        if not self._executing:
            task.cancel()


async def _answer(
    data: str | bytes, services: Services, live_table: LiveTable, viewer: Viewer, limits: ConnectionLimits
) -> float:
    """Carry out a client's message and answer it; return how many messages it counts as.

    Errors are reported to this client alone.
    """
    message: protocol.FromClient | None = None
    answer: protocol.FromServer | None = None
    cost, size = 1.0, 0
    try:
        if len(data) > MAX_BYTES:
            raise Refused("too-big")
        message = _decoder.decode(data)
        if isinstance(message, protocol.SelectViews):
            size = _select_views(message, live_table, viewer)
        else:
            answer = await _execute(message, services, live_table, viewer, limits)
        if isinstance(answer, protocol.Accepted):
            cost += len(live_table.viewers) / VIEWERS_OF_COST
        if isinstance(message, protocol.Commit):
            cost += COMMIT_COST
    except (msgspec.DecodeError, RecursionError) as error:
        answer = _refusal(services, None, Refused("bad-request", what=f"This is not a message: {error}"))
    except (Refused, BadNotation, IllegalMove) as error:
        answer = _refusal(services, getattr(message, "id", None), error)
        if isinstance(error, Refused) and error.key == "stale":
            size = viewer.send(answer) + live_table.send_position(viewer)
            answer = None
    except StoreFailed:
        log.exception("an event could not be stored", extra={"table": live_table.table.id})
        answer = _refusal(services, getattr(message, "id", None), Refused("store-failed"))
    if answer is not None:
        size = viewer.send(answer)
    return cost + size / BYTES_OF_COST


def _refusal(services: Services, id: str | None, error: Refused | BadNotation | IllegalMove) -> protocol.Refused:
    problem = problem_of(error)
    legal = error.legal if isinstance(error, IllegalMove) else []
    services.metrics.count_refusal(problem.key)
    return protocol.Refused(id, problem.key, problem.text, dict(problem.parameters), problem.rule, legal)


async def _execute(
    message: Answered,
    services: Services,
    live_table: LiveTable,
    viewer: Viewer,
    limits: ConnectionLimits,
) -> protocol.FromServer:
    match message:
        case protocol.Ping():
            return protocol.Pong(message.at, services.now())
    user_id = viewer.user_id
    if user_id is None:
        raise Refused("no-identity")
    match message:
        case protocol.Move():
            if message.ply > live_table.table.ply:  # the client has seen moves that this process has not
                await live_table.wake()
            await live_table.act_unshielded(
                lambda table, now_ms: commands.move(
                    table, user_id, message.seat, message.ply, message.text, message.id, now_ms
                )
            )
            return protocol.Accepted(message.id, live_table.table.request_plies.get((message.seat, message.id)))
        case protocol.Commit():
            await live_table.act_unshielded(
                lambda table, now_ms: commands.commit_entropy(table, user_id, message.commitment)
            )
        case protocol.Ready():
            await live_table.act_unshielded(lambda table, now_ms: commands.add_entropy(table, user_id, message.entropy))
        case protocol.Start():
            await live_table.act_unshielded(lambda table, now_ms: commands.start(table, user_id, now_ms))
        case protocol.Resign():
            await live_table.act_unshielded(lambda table, now_ms: commands.resign(table, user_id, message.seat))
        case protocol.Rematch():
            if commands.offer_rematch(live_table.table, user_id) is not None:
                limits.count_table()
            await live_table.act_unshielded(lambda table, now_ms: commands.offer_rematch(table, user_id))
    return protocol.Accepted(message.id)


def _select_views(message: protocol.SelectViews, live_table: LiveTable, viewer: Viewer) -> int:
    """Select views and send the position; return the length of the answer."""
    own_seats = live_table.table.seats_of(viewer.user_id)
    for seat in message.seats:
        if seat not in own_seats:
            raise Refused("not-your-seat", seat=seat)
    viewer.views = tuple(sorted(set(message.seats)))
    viewer.chose_views = True
    viewer.text = message.text
    return live_table.send_position(viewer)
