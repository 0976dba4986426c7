"""Leaks planted in what the server sends to a viewer: the table, positions, their announcements as text, and hints.

The messages of several deals that a viewer cannot tell apart must be equal after every move. A leak in any field of
them must be noticed.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from sevenhues import protocol
from sevenhues.bots import hints
from sevenhues.core import registry
from sevenhues.core.game import Game
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.server.live import messages
from sevenhues.server.table import events
from sevenhues.server.table.events import ClockSettings, Entry, Event
from sevenhues.server.table.state import Table, restore
from tests.planted_leaks import Path, leaves, secret, with_leak
from tests.server.test_wire import NOW, indistinguishable_deals, user_id

WORLDS = 4  # deals that a viewer cannot tell apart
HINT_BUDGET = "6"  # simulations


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
    places: set[tuple[str, Path]] = set()
    for plies in zip(*seen, strict=True):
        assert all(one.messages == plies[0].messages for one in plies), "nothing hidden reaches the viewer"
        if len({one.secret for one in plies}) == 2:  # the deals differ in the bit that a leak would tell
            places |= {(kind, path) for kind, message in plies[0].messages.items() for path in leaves(message)}
    assert {"table", "update", "position"} | ({"hints"} if viewer == 0 else set()) <= {kind for kind, _ in places}
    missed = []
    for kind, path in sorted(places):
        first, *others = [[leaky(one, kind, path) for one in world] for world in seen]
        if all(world == first for world in others):
            missed.append((kind, ".".join(path)))
    print(f"{name}, viewer {viewer}: {len(places) - len(missed)} of {len(places)} planted leaks noticed")
    assert missed == []
