"""Leaks planted in what the server sends to a viewer: the table, positions, their announcements as text, and hints.

The messages of several deals that a viewer cannot tell apart must be equal after every move. A leak in any field of
them must be noticed. So it is for the lines of the log, which a player may see who runs the server.
"""

import json
import logging
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import Any, NamedTuple
from unittest.mock import AsyncMock

import httpx
import pytest

from sevenhues import protocol
from sevenhues.bots import hints
from sevenhues.core import registry
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.server.accounts.cookies import COOKIE_NAME
from sevenhues.server.live import messages
from sevenhues.server.log_format import JsonFormatter
from sevenhues.server.store import StoreFailed
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table import events
from sevenhues.server.table.events import ClockSettings, Entry, Event
from sevenhues.server.table.state import Table, restore
from tests.planted_leaks import Path, leaves, secret, with_leak
from tests.server.play import wait_until
from tests.server.test_wire import KEYS, NOW, TABLE, indistinguishable_deals, open_connection, serve, user_id

WORLDS = 4  # deals that a viewer cannot tell apart
HINT_BUDGET = "6"  # simulations
MOVES_LOGGED = 10  # in each deal, of a game whose log is compared


class Sent(NamedTuple):
    """The messages to a viewer after a move, by kind, and a bit of what is hidden from the viewer."""

    messages: dict[str, Any]
    secret: bool


def tables(game: Game[Any], seats: int, setup: Any, moves: list[Any]) -> Iterator[Table]:
    """Yield a table after every move."""
    clock = ClockSettings() if game.simultaneous else ClockSettings("bank", 600, 5)
    log: list[Event] = [events.Created(game.id, {}, seats, user_id(0), True, clock, False, False, "00" * 32)]
    log += [events.SeatTaken(seat, user_id(seat), f"Player {seat}") for seat in range(seats)]
    log += [events.Started(setup, NOW)]
    table = restore("t", [Entry(NOW, event) for event in log])
    yield table
    for move in moves:
        table.apply(Entry(NOW, events.MovePlayed(move.seat, move.text)))
        yield table


def sent(table: Table, viewer: int) -> Sent:
    """Return what the server sends to a viewer about a table; hints with so few simulations, but by the same code."""
    position = table.position
    assert position is not None
    seats = () if viewer == WATCHER else (viewer,)
    last = table.moves[-1] if table.moves else None
    kinds: dict[str, bytes] = {
        "table": messages.encoder.encode(messages.table_info(table, None if viewer == WATCHER else user_id(viewer))),
        "update": messages.Updates(table, NOW, last).encode(seats, True),
        "position": messages.Updates(table, NOW, history=True).encode(seats, True),
    }
    if viewer in position.to_act() and table.ply % 6 == 0:
        found = hints(table.game, position, viewer, Rng(table.ply), HINT_BUDGET)
        kinds["hints"] = messages.encoder.encode(
            protocol.Hints(table.ply, [protocol.Hint(one.text, one.chance) for one in found])
        )
    return Sent({kind: json.loads(body) for kind, body in kinds.items()}, secret(position))


def worlds(game: Game[Any], seats: int, viewer: int) -> list[list[Sent]]:
    """Return what a viewer is sent after every move in deals that the viewer cannot tell apart."""
    setup, other, moves = indistinguishable_deals(game, seats, viewer)
    *_, end = tables(game, seats, setup, moves)
    assert end.position is not None
    more = [game.setup(end.position.resample(viewer, Rng(number))) for number in range(WORLDS - 2)]
    return [[sent(table, viewer) for table in tables(game, seats, one, moves)] for one in (setup, other, *more)]


def leaky(one: Sent, kind: str, path: Path) -> Any:
    """Return a message one field of which depends on hidden information."""
    message = one.messages.get(kind)
    return with_leak(message, path) if one.secret else message


def cases() -> list[Any]:
    """Return every game with every viewer; in `make test`, one of them."""
    combinations = [(name, viewer) for name in registry.names() for viewer in (0, 1, WATCHER)]
    return [
        pytest.param(*one, marks=pytest.mark.slow if one == ("rainbow", 0) else pytest.mark.long)
        for one in combinations
    ]


@pytest.mark.parametrize(("name", "viewer"), cases())
def test_leak_planted_in_a_message_is_noticed(name: str, viewer: int) -> None:
    seen = worlds(registry.load(name), 2, viewer)
    expected = {"table", "update", "position"} | ({"hints"} if viewer == 0 else set())
    check_planted_leaks(f"{name}, viewer {viewer}", seen, expected)


def check_planted_leaks(what: str, seen: list[list[Sent]], expected: set[str]) -> None:
    """Check that the deals show the same, and that a leak in any field of these kinds of messages is noticed."""
    places: set[tuple[str, Path]] = set()
    for plies in zip(*seen, strict=True):
        assert all(one.messages == plies[0].messages for one in plies), "nothing hidden reaches the viewer"
        if len({one.secret for one in plies}) == 2:  # the deals differ in the bit that a leak would tell
            places |= {(kind, path) for kind, message in plies[0].messages.items() for path in leaves(message)}
    assert expected <= {kind for kind, _ in places}
    missed = []
    for kind, path in sorted(places):
        first, *others = [[leaky(one, kind, path) for one in world] for world in seen]
        if all(world == first for world in others):
            missed.append((kind, ".".join(path)))
    print(f"{what}: {len(places) - len(missed)} of {len(places)} planted leaks noticed")
    assert missed == []


class Lines(logging.Handler):
    """The lines that a server logs, without times."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = json.loads(JsonFormatter().format(record))
        self.lines.append({key: value for key, value in line.items() if key not in ("time", "duration_ms")})

    def take(self) -> dict[str, Any]:
        """Return the lines since the last call, by message."""
        lines, self.lines = self.lines, []
        return {message: self.of(message, lines) for message in sorted({line["message"] for line in lines})}

    @staticmethod
    def of(message: str, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [line for line in lines if line["message"] == message]


async def logged(folder: FilePath, game: Game[Any], setup: Any, moves: list[Any], viewer: int) -> list[Sent]:
    """Return what a server logs after every move: of requests, refusals, and events that cannot be stored."""
    log: list[Event] = [events.Created(game.id, {}, 2, user_id(0), True, ClockSettings(), False, False, "00" * 32)]
    log += [events.SeatTaken(seat, user_id(seat), f"Player {seat}") for seat in range(2)]
    log += [events.Started(setup, NOW)]
    sent_lines: list[Sent] = []
    handler, logger = Lines(), logging.getLogger("sevenhues")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    cookies = {COOKIE_NAME: KEYS.sign(user_id(viewer))}
    try:
        async with (
            serve(folder, log, game, 2) as port,
            open_connection(port, 0) as first,
            open_connection(port, 1) as second,
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60, cookies=cookies) as http,
        ):
            bits = [table.position is not None and secret(table.position) for table in tables(game, 2, setup, moves)]
            for ply, move in enumerate(moves):
                for number, path in enumerate(("", "/replay", "/beliefs?ply=1"), 1):
                    await http.get(f"/api/tables/{TABLE}{path}")
                    await wait_until(lambda number=number: len(handler.of("request", handler.lines)) == number)
                for text, error in (("nonsense", None), (move.text, StoreFailed("full")), (move.text, None)):
                    message = {"type": "move", "id": f"m{ply}", "seat": move.seat, "ply": ply, "text": text}
                    with pytest.MonkeyPatch.context() as failing:
                        if error is not None:
                            failing.setattr(SqliteStore, "append", AsyncMock(side_effect=error))
                        await (first, second)[move.seat].send(json.dumps(message))
                        while json.loads(await (first, second)[move.seat].recv())["type"] in ("table", "update"):
                            pass
                sent_lines.append(Sent(handler.take(), bits[ply]))
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    return sent_lines


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
async def test_leak_planted_in_a_line_of_the_log_is_noticed(tmp_path: FilePath, name: str) -> None:
    game = registry.load(name)
    setup, other, moves = indistinguishable_deals(game, 2, 0)
    moves = moves[:MOVES_LOGGED]
    seen = [await logged(tmp_path / str(n), game, one, moves, 0) for n, one in enumerate((setup, other))]
    check_planted_leaks(f"{name}, log", seen, {"request", "an event could not be stored"})
