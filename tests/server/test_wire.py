"""Non-interference: the bytes that a viewer receives do not depend on information hidden from that viewer.

Two servers have the same table, the second with a deal that the viewer cannot distinguish from the first: same id, same
commitment, same clock, same moves. The viewer must receive the same bytes on connecting, playing, being refused and
reconnecting.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from sevenhues.core import registry
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.moves import legal_texts, parse
from sevenhues.core.play import TimedMove, deal, play_text, random_game
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.rng import Rng
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.app import make_app
from sevenhues.server.http.context import AppContext
from sevenhues.server.live.live_tables import LiveTables
from sevenhues.server.settings import Settings
from sevenhues.server.store import Summary
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import events
from sevenhues.server.table.events import ClockSettings, Entry, Event
from sevenhues.server.transport import Connections
from tests.server.play import DEADLINE_SECONDS
from tests.server.test_transport import serving

pytestmark = pytest.mark.anyio
NOW = 1_700_000_000_000
TABLE = "amber-otter-abcdefg"
MOVES = (24, 3)  # the second in games that are too short for the first
KEYS = SigningKeys(["ab" * 32])


def user_id(seat: int) -> str:
    return f"{seat:032x}"


def cases() -> list[Any]:
    """Return every game with every number of seats and every viewer.

    Where more than two play, one seat and a watcher of the largest table are tried in `make test`.
    """
    combinations = []
    for name in registry.names():
        game = registry.load(name)
        for seats in range(game.min_seats, game.max_seats + 1):
            for viewer in [*range(seats), WATCHER]:
                usual = seats == 2 or (seats == game.max_seats and viewer in (0, WATCHER))
                marks = pytest.mark.slow if usual else pytest.mark.long
                combinations.append(pytest.param(name, seats, viewer, marks=marks))
    return combinations


def indistinguishable_deals(game: Game[Any], seats: int, viewer: int) -> tuple[Any, Any, list[TimedMove]]:
    """Return a deal, another deal that shows the viewer the same after every move, and the moves."""
    for count, seed in product(MOVES, range(50)):
        start = deal(game, f"wire {seed}".encode(), seats)
        setup = game.setup(start)
        moves = random_game(game, start.copy(), Rng(seed))[:count]
        position: Position = start.copy()
        for move in moves:
            position.play(move.seat, parse(game, position, move.seat, move.text))
        for again in range(20):
            other = game.setup(position.resample(viewer, Rng(again)))
            if other != setup and position.outcome() is None and len(moves) == count:
                return setup, other, moves
    raise AssertionError("no deal has hidden information left")


@asynccontextmanager
async def serve(data: Path, log: list[Event], game: Game[Any], seats: int) -> AsyncIterator[int]:
    """Serve one table from its log, with a clock that stands still; yield the port."""
    settings = Settings(data, bot_min_move_ms=0, bot_workers=1)
    store = SqliteStore(settings.database)
    await store.open()
    user_ids = tuple(user_id(seat) for seat in range(seats))
    await store.create(TABLE, [Entry(NOW, event) for event in log], Summary(game.id, "playing", True, user_ids))
    await store.close()
    live_tables = LiveTables(settings, SqliteStore(settings.database), now=lambda: NOW)
    app = make_app(AppContext(live_tables, KEYS))
    async with serving(app, Connections(0, lambda address: False), "on") as port:
        yield port


async def collect(connection: ClientConnection, into: list[str]) -> None:
    async for frame in connection:
        assert isinstance(frame, str)
        into.append(frame)


def open_connection(port: int, viewer: int) -> connect:
    headers = {} if viewer == WATCHER else {"cookie": f"sevenhues={KEYS.sign(user_id(viewer))}"}
    return connect(f"ws://127.0.0.1:{port}/api/tables/{TABLE}/live", additional_headers=headers)


async def received_frames(
    data: Path, game: Game[Any], seats: int, setup: Any, moves: list[TimedMove], viewer: int
) -> list[str]:
    """Continue the game after a third of the moves, and return every frame that the viewer received."""
    before = len(moves) // 3
    clock = ClockSettings() if game.simultaneous else ClockSettings("bank", 600, 5)
    log: list[Event] = [events.Created(game.id, {}, seats, user_id(0), True, clock, False, False, "00" * 32)]
    log += [events.SeatTaken(seat, user_id(seat), f"Player {seat}") for seat in range(seats)]
    log += [events.EntropyAdded(user_id(seat), f"entropy-of-seat-{seat}") for seat in range(seats)]
    log += [events.Started(setup, NOW)]
    log += [events.MovePlayed(move.seat, move.text, f"m{i}") for i, move in enumerate(moves[:before])]
    position = game.start(setup, seats, resolve_options(game, {}))
    for move in moves[:before]:
        play_text(game, position, move.seat, move.text)
    frames: list[str] = []
    bystander_frames: list[str] = []
    async with serve(data, log, game, seats) as port, open_connection(port, WATCHER) as bystander:
        watching = asyncio.create_task(collect(bystander, bystander_frames))
        by_seat = {seat: await open_connection(port, seat) for seat in range(seats) if seat != viewer}
        ignoring = [asyncio.create_task(collect(other, [])) for other in by_seat.values()]
        half = (before + len(moves)) // 2
        for part in (range(before, half), range(half, len(moves))):
            await presence_announced(bystander_frames, by_seat, viewer, connected=False)
            async with open_connection(port, viewer) as viewing:
                frames_before = len(frames)
                reading = asyncio.create_task(collect(viewing, frames))
                await presence_announced(bystander_frames, by_seat, viewer, connected=True)
                # The table, the position, and the table again with the viewer connected.
                await frames_received(frames, frames_before + 3)
                for ply in part:
                    move = moves[ply]
                    mover = by_seat.get(move.seat, viewing)
                    sent = {"type": "move", "id": f"m{ply}", "seat": move.seat, "ply": ply, "text": move.text}
                    before = len(frames)
                    # Refusals must not reveal hidden information either.
                    if viewer != WATCHER:
                        for text in ("nonsense", *refused(game, position, viewer, moves)):
                            wrong = {"type": "move", "id": "x", "seat": viewer, "ply": ply, "text": text}
                            await viewing.send(json.dumps(wrong))
                            await frames_received(frames, before + 1)
                            before = len(frames)
                    await mover.send(json.dumps(sent))
                    play_text(game, position, move.seat, move.text)
                    await frames_received(frames, before + (2 if mover is viewing else 1))
                reading.cancel()
        for other in by_seat.values():
            await other.close()
        for task in [watching, *ignoring]:
            task.cancel()
    return frames


async def presence_announced(
    seen: list[str], others: dict[int, ClientConnection], viewer: int, connected: bool
) -> None:
    """Wait until the bystander was sent who is connected to the table."""
    watchers = 2 if viewer == WATCHER and connected else 1
    seated = set(others) | ({viewer} if connected and viewer != WATCHER else set())
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            tables = [json.loads(frame)["table"] for frame in seen if frame.startswith('{"type":"table"')]
            last: Any = tables[-1] if tables else {"watchers": 0, "seats": []}
            here = {number for number, seat in enumerate(last["seats"]) if seat["connected"]}
            if (last["watchers"], here) == (watchers, seated):
                return
            await asyncio.sleep(0.01)


def refused(game: Game[Any], position: Position, viewer: int, moves: list[TimedMove]) -> list[str]:
    """Return a move of the game that the viewer may not make now, if there is one."""
    legal = legal_texts(game, position, viewer)
    return [move.text for move in moves if move.text not in legal][:1]


async def frames_received(frames: list[str], count: int) -> None:
    async with asyncio.timeout(DEADLINE_SECONDS):
        while len(frames) < count:
            await asyncio.sleep(0.002)


@pytest.mark.parametrize(("name", "seats", "viewer"), cases())
async def test_bytes_sent_to_a_viewer_do_not_depend_on_hidden_information(
    tmp_path: Path, name: str, seats: int, viewer: int
) -> None:
    game = registry.load(name)
    setup, other, moves = indistinguishable_deals(game, seats, viewer)
    assert setup != other
    first = await received_frames(tmp_path / "a", game, seats, setup, moves, viewer)
    second = await received_frames(tmp_path / "b", game, seats, other, moves, viewer)
    assert len(first) > len(moves) - len(moves) // 3
    assert [json.loads(frame)["type"] for frame in first] == [json.loads(frame)["type"] for frame in second]
    assert first == second


@pytest.mark.slow
async def test_distinguishable_deals_send_different_bytes(tmp_path: Path) -> None:
    """The test above can fail."""
    game = registry.load("rainbow")
    setup, _, moves = indistinguishable_deals(game, 2, 0)
    _, other, _ = indistinguishable_deals(game, 2, 1)
    first = await received_frames(tmp_path / "a", game, 2, setup, moves, 0)
    second = await received_frames(tmp_path / "b", game, 2, other, moves, 0)
    assert first != second
