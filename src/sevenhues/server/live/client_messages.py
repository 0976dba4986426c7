"""Carries out the messages of a table's clients, and answers them."""

import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec

from sevenhues import protocol
from sevenhues.core.errors import BadNotation, IllegalMove
from sevenhues.server.errors import problem_of
from sevenhues.server.live.live_table import LiveTable, Viewer
from sevenhues.server.live.services import Services
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands
from sevenhues.server.table.errors import Refused

MAX_BYTES = 4096  # of a message
COMMIT_COST = 50.0  # messages as which a commitment counts: it may be replaced again and again
BYTES_OF_COST = 1000  # of an answer that count as a message
VIEWERS_OF_COST = 10  # connections that count as a message if an event is sent to them
# Messages that have one answer; views are answered by the position.
Answered = (
    protocol.Ping
    | protocol.Commit
    | protocol.Ready
    | protocol.Start
    | protocol.Move
    | protocol.Resign
    | protocol.Rematch
    | protocol.Say
)
log = logging.getLogger("sevenhues")
_decoder: msgspec.json.Decoder[protocol.FromClient] = msgspec.json.Decoder(protocol.FromClient)


async def _unlimited() -> None:
    return


class ConnectionLimits(NamedTuple):
    """The limits that a connection shares with others of its user and its address."""

    count_table: Callable[[], None] = lambda: None  # counts a new table, and raises Refused if it is one too many
    count_phrase: Callable[[], Awaitable[None]] = _unlimited  # also raises Refused if the user may say nothing
    count_messages: Callable[[float], None] = lambda count: None
    delay: Callable[[], float] = lambda: 0.0  # seconds until the next message may be carried out


NO_LIMITS = ConnectionLimits()


async def answer(
    data: str | bytes,
    services: Services,
    live_table: LiveTable,
    viewer: Viewer,
    limits: ConnectionLimits = NO_LIMITS,
) -> float:
    """Carry out a client's message and answer it; return how many messages it counts as.

    Errors are reported to this client alone.
    """
    message: protocol.FromClient | None = None
    response: protocol.FromServer | None = None
    cost, size = 1.0, 0
    try:
        if len(data) > MAX_BYTES:
            raise Refused("too-big")
        message = _decoder.decode(data)
        live_table.heard_of(viewer)
        if isinstance(message, protocol.SelectViews):
            size = _select_views(message, live_table, viewer)
        elif isinstance(message, protocol.Visible):
            live_table.look(viewer, message.visible)
        else:
            response = await _execute(message, services, live_table, viewer, limits)
        if isinstance(response, protocol.Accepted):
            cost += len(live_table.viewers) / VIEWERS_OF_COST
        if isinstance(message, protocol.Commit):
            cost += COMMIT_COST
    except (msgspec.DecodeError, RecursionError) as error:
        response = _refusal(services, None, Refused("bad-request", what=f"This is not a message: {error}"))
    except (Refused, BadNotation, IllegalMove) as error:
        response = _refusal(services, getattr(message, "id", None), error)
        if isinstance(error, Refused) and error.key == "stale":
            size = viewer.send(response) + live_table.send_position(viewer)
            response = None
    except StoreFailed:
        log.exception("an event could not be stored", extra={"table": live_table.table.id})
        response = _refusal(services, getattr(message, "id", None), Refused("store-failed"))
    if response is not None:
        size = viewer.send(response)
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
        case protocol.Say():
            commands.check_speaker(live_table.table, user_id, message.seat)
            if not live_table.has_said(user_id, message.id):
                await limits.count_phrase()
                live_table.say(user_id, message.id, message.seat, message.phrase)
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
