"""Non-interference on the wire: what a seat is sent does not depend on what it may not see, to the byte.

Two servers hold the same table, the second with a deal that the viewer cannot tell from the first: same id, same
commitment, same clock, same moves. Everything that the viewer's socket receives must be the same, through connecting,
playing, being refused and coming back.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from sevenhues.core import registry
from sevenhues.core.game import WATCHER, Game, Position
from sevenhues.core.play import Played, deal, random_game
from sevenhues.core.rng import Rng
from sevenhues.server import events
from sevenhues.server.app import make_app
from sevenhues.server.events import Entry, Event
from sevenhues.server.house import House
from sevenhues.server.identity import Keys
from sevenhues.server.protocol import Clock
from sevenhues.server.settings import Settings
from sevenhues.server.store import Summary
from sevenhues.server.store.sqlite import SqliteStore
from tests.server.process import free_port

pytestmark = pytest.mark.anyio
NOW = 1_700_000_000_000
TABLE = "amber-otter-abcdefg"
PLAYED = 24  # moves in all
BEFORE = 8  # of them made before the viewer comes
KEYS = Keys(["ab" * 32])


def person(seat: int) -> str:
    return f"{seat:032x}"


def cases() -> list[tuple[str, int, int]]:
    """Every game, every number of seats, every viewer."""
    found = []
    for name in registry.names():
        game = registry.load(name)
        for seats in range(game.min_seats, game.max_seats + 1):
            found += [(name, seats, viewer) for viewer in [*range(seats), WATCHER]]
    return found


def two_deals(game: Game[Any], seats: int, viewer: int) -> tuple[Any, Any, list[Played]]:
    """Play a game and find another deal that, move for move, shows the viewer the same."""
    for seed in range(50):
        start = deal(game, f"wire {seed}".encode(), seats)
        setup = game.setup(start)
        moves = random_game(game, start.copy(), Rng(seed))[:PLAYED]
        position: Position = start.copy()
        for move in moves:
            position.play(move.seat, game.parse(position, move.seat, move.text))
        for again in range(20):
            other = game.setup(position.resample(viewer, Rng(again)))
            if other != setup and position.outcome() is None and len(moves) == PLAYED:
                return setup, other, moves
    raise AssertionError("no deal leaves anything hidden")


@asynccontextmanager
async def served(data: Path, log: list[Event], game: Game[Any], seats: int) -> AsyncIterator[int]:
    """Serve one table from its log, by a clock that stands still."""
    settings = Settings(data, pace=0, workers=1)
    store = SqliteStore(settings.database)
    await store.open()
    persons = tuple(person(seat) for seat in range(seats))
    await store.create(TABLE, [Entry(NOW, event) for event in log], Summary(game.id, "playing", True, persons))
    await store.close()
    house = House(settings, SqliteStore(settings.database), KEYS, now=lambda: NOW)
    port = free_port()
    config = uvicorn.Config(make_app(house), port=port, ws="websockets-sansio", log_config=None, ws_ping_interval=None)
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    task = asyncio.create_task(server._serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield port
    finally:
        server.should_exit = True
        await task


async def collect(socket: ClientConnection, into: list[str]) -> None:
    async for frame in socket:
        assert isinstance(frame, str)
        into.append(frame)


def come(port: int, viewer: int) -> connect:
    headers = {} if viewer == WATCHER else {"cookie": f"sevenhues={KEYS.sign(person(viewer))}"}
    return connect(f"ws://127.0.0.1:{port}/api/tables/{TABLE}/live", additional_headers=headers)


async def received(data: Path, game: Game[Any], seats: int, setup: Any, moves: list[Played], viewer: int) -> list[str]:
    """Play on at the table, and return every frame that the viewer got."""
    clock = Clock() if game.simultaneous else Clock("bank", 600, 5)
    log: list[Event] = [events.Created(game.id, {}, seats, person(0), True, clock, False, False, "00" * 32)]
    log += [events.Sat(seat, person(seat), f"Player {seat}") for seat in range(seats)]
    log += [events.Added(person(seat), f"entropy-of-seat-{seat}") for seat in range(seats)]
    log += [events.Started(setup, NOW)]
    log += [events.Played(move.seat, move.text, f"m{i}") for i, move in enumerate(moves[:BEFORE])]
    frames: list[str] = []
    seen_by_all: list[str] = []
    async with served(data, log, game, seats) as port, come(port, WATCHER) as bystander:
        watching = asyncio.create_task(collect(bystander, seen_by_all))
        by_seat = {seat: await come(port, seat) for seat in range(seats) if seat != viewer}
        deaf = [asyncio.create_task(collect(other, [])) for other in by_seat.values()]
        half = (BEFORE + len(moves)) // 2
        for part in (range(BEFORE, half), range(half, len(moves))):
            await told(seen_by_all, by_seat, viewer, there=False)
            async with come(port, viewer) as socket:
                came = len(frames)
                reading = asyncio.create_task(collect(socket, frames))
                await told(seen_by_all, by_seat, viewer, there=True)
                await arrived(frames, came + 3)  # the table, the position, and the table again with the viewer at it
                for ply in part:
                    move = moves[ply]
                    mover = by_seat.get(move.seat, socket)
                    sent = {"type": "move", "id": f"m{ply}", "seat": move.seat, "ply": ply, "text": move.text}
                    before = len(frames)
                    # What is refused tells no more than what is done.
                    if viewer != WATCHER:
                        for text in ("nonsense", *REFUSED[game.id]):
                            wrong = {"type": "move", "id": "x", "seat": viewer, "ply": ply, "text": text}
                            await socket.send(json.dumps(wrong))
                            await arrived(frames, before + 1)
                            before = len(frames)
                    await mover.send(json.dumps(sent))
                    await arrived(frames, before + (2 if mover is socket else 1))
                reading.cancel()
        for other in by_seat.values():
            await other.close()
        for task in [watching, *deaf]:
            task.cancel()
    return frames


async def told(seen: list[str], others: dict[int, ClientConnection], viewer: int, there: bool) -> None:
    """Wait until everybody was told just who is at the table."""
    watchers = 2 if viewer == WATCHER and there else 1
    seated = set(others) | ({viewer} if there and viewer != WATCHER else set())
    async with asyncio.timeout(10):
        while True:
            tables = [json.loads(frame)["table"] for frame in seen if frame.startswith('{"type":"table"')]
            last: Any = tables[-1] if tables else {"watchers": 0, "seats": []}
            here = {seat for seat, found in enumerate(last["seats"]) if found["here"]}
            if (last["watchers"], here) == (watchers, seated):
                return
            await asyncio.sleep(0.01)


# Moves that some rule refuses in most positions: what the refusal says must not tell of hidden things.
REFUSED = {
    "rainbow": ["F6"],
    "rainbow-road": [],
    "flip-and-slide": ["F99,99"],
    "nimble": ["p1/99"],
}


async def arrived(frames: list[str], count: int) -> None:
    async with asyncio.timeout(10):
        while len(frames) < count:
            await asyncio.sleep(0.002)


@pytest.mark.parametrize(("name", "seats", "viewer"), cases())
async def test_a_viewer_is_sent_the_same_bytes_whatever_is_hidden(
    tmp_path: Path, name: str, seats: int, viewer: int
) -> None:
    game = registry.load(name)
    setup, other, moves = two_deals(game, seats, viewer)
    assert setup != other
    first = await received(tmp_path / "a", game, seats, setup, moves, viewer)
    second = await received(tmp_path / "b", game, seats, other, moves, viewer)
    assert len(first) > PLAYED - BEFORE
    assert [json.loads(frame)["type"] for frame in first] == [json.loads(frame)["type"] for frame in second]
    assert first == second


async def test_the_test_can_fail(tmp_path: Path) -> None:
    """A deal that the viewer can tell apart is told apart."""
    game = registry.load("rainbow")
    setup, _, moves = two_deals(game, 2, 0)
    _, other, _ = two_deals(game, 2, 1)
    first = await received(tmp_path / "a", game, 2, setup, moves[:BEFORE], 0)
    second = await received(tmp_path / "b", game, 2, other, moves[:BEFORE], 0)
    assert first != second
