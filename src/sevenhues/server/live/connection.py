"""One websocket of one table: what a client says is decoded, judged and answered; what the table tells is sent."""

import asyncio
import contextlib
import logging
from time import monotonic
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from sevenhues import protocol
from sevenhues.core.errors import BadNotation, IllegalMove
from sevenhues.server.errors import Declined, problem_of
from sevenhues.server.live.live_table import Room, Viewer
from sevenhues.server.live.live_tables import House
from sevenhues.server.store import StoreFailed
from sevenhues.server.table import commands

FAST = 40.0  # messages a second that a client may send for long
BURST = 120.0  # and at once
MOST_BYTES = 4096  # of a message
CLOSING = {"stopping": 1012, "slow": 4008, "flood": 4029, "gone": 4004, "deleted": 4001}
LOST = (WebSocketDisconnect, RuntimeError, OSError)  # how the other side's going away shows
log = logging.getLogger("sevenhues")
_decoder: msgspec.json.Decoder[protocol.FromClient] = msgspec.json.Decoder(protocol.FromClient)
_encoder = msgspec.json.Encoder()


class Allowance:
    """How much a client may still say: it fills up with time."""

    def __init__(self) -> None:
        self._left = BURST
        self._at = monotonic()

    def spend(self) -> bool:
        now = monotonic()
        self._left = min(BURST, self._left + (now - self._at) * FAST) - 1
        self._at = now
        return self._left >= 0


async def converse(socket: WebSocket[Any, Any, Any], house: House, room: Room, by: str | None) -> None:
    """Serve an accepted connection until either side ends it."""
    viewer = Viewer(by)
    room.enter(viewer)
    house.conversations += 1
    house.metrics.sockets.inc()
    tasks = [
        asyncio.create_task(_send(socket, viewer)),
        asyncio.create_task(_receive(socket, house, room, viewer)),
        asyncio.create_task(viewer.dropped.wait()),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if viewer.reason is not None:
            house.metrics.dropped.labels(viewer.reason).inc()
    finally:
        room.leave(viewer)
        house.metrics.sockets.dec()
        for task in tasks:
            task.cancel()
        try:
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ended, Exception) and not isinstance(ended, LOST):
                    log.error("a mistake of ours", exc_info=ended, extra={"table": room.table.id})
            if viewer.reason is not None:
                await _part(socket, viewer.reason)
        finally:
            house.conversations -= 1


async def _part(socket: WebSocket[Any, Any, Any], reason: Any) -> None:
    """Say goodbye, if the other side still listens."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(1):
            await socket.send_data(_encoder.encode(protocol.Bye(reason)).decode(), mode="text")
            await socket.close(CLOSING[reason], reason)


async def _send(socket: WebSocket[Any, Any, Any], viewer: Viewer) -> None:
    while True:
        data = await viewer.waiting.get()
        await socket.send_data(data.decode(), mode="text")


async def _receive(socket: WebSocket[Any, Any, Any], house: House, room: Room, viewer: Viewer) -> None:
    allowance = Allowance()
    while True:
        data = await socket.receive_data(mode="text")
        if not allowance.spend():
            viewer.drop("flood")
            return
        answer = await _answer(data, house, room, viewer)
        if answer is not None:
            viewer.send(answer)


async def _answer(data: str | bytes, house: House, room: Room, viewer: Viewer) -> protocol.FromServer | None:
    """Do what a message asks; whatever is wrong with it is said to its sender alone."""
    message: protocol.FromClient | None = None
    try:
        if len(data) > MOST_BYTES:
            raise Declined("too-big")
        message = _decoder.decode(data)
        return await _done(message, house, room, viewer)
    except (msgspec.DecodeError, RecursionError) as error:
        return _refused(house, None, Declined("bad-request", what=f"This is no message: {error}"))
    except (Declined, BadNotation, IllegalMove) as error:
        answer = _refused(house, getattr(message, "id", None), error)
        if isinstance(error, Declined) and error.key == "stale":
            viewer.send(answer)
            room.show_all(viewer)
            return None
        return answer
    except StoreFailed:
        log.exception("an event could not be stored", extra={"table": room.table.id})
        return _refused(house, getattr(message, "id", None), Declined("store-failed"))


def _refused(house: House, id: str | None, error: Declined | BadNotation | IllegalMove) -> protocol.Refused:
    why = problem_of(error)
    legal = error.legal if isinstance(error, IllegalMove) else []
    house.metrics.refusals.labels(why.key).inc()
    return protocol.Refused(id, why.key, why.text, dict(why.parameters), why.rule, legal)


async def _done(message: protocol.FromClient, house: House, room: Room, viewer: Viewer) -> protocol.FromServer | None:
    by = viewer.by
    match message:
        case protocol.Ping():
            return protocol.Pong(message.at, house.now())
        case protocol.Look():
            held = room.table.held(by)
            for seat in message.seats:
                if seat not in held:
                    raise Declined("not-your-seat", seat=seat)
            viewer.eyes = tuple(sorted(set(message.seats)))
            viewer.chose = True
            viewer.text = message.text
            room.show_all(viewer)
            return None
    if by is None:
        raise Declined("no-identity")
    match message:
        case protocol.Ready():
            await room.act(lambda table, now: commands.add(table, by, message.entropy))
        case protocol.Start():
            await room.act(lambda table, now: commands.start(table, by, now))
        case protocol.Resign():
            await room.act(lambda table, now: commands.resign(table, by, message.seat))
        case protocol.Rematch():
            await room.act(lambda table, now: commands.offer(table, by))
        case protocol.Move():
            ply = await room.act(
                lambda table, now: commands.move(table, by, message.seat, message.ply, message.text, message.id, now)
            )
            known = ply if isinstance(ply, int) else room.table.ids.get((message.seat, message.id))
            return protocol.Done(message.id, known)
    return protocol.Done(message.id)
