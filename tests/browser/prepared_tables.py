"""Tables that were laid before the server starts: with any deal, and with the moves that lead to a position."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sevenhues.core.game import Game, Position, Setup
from sevenhues.core.play import deal, play_text
from sevenhues.server.events import Added, Created, Entry, Event, Played, Sat, Started
from sevenhues.server.identity import load_keys
from sevenhues.server.protocol import Clock
from sevenhues.server.store import Summary
from sevenhues.server.store.sqlite import SqliteStore

Wanted = Callable[[Any], bool]  # asked of the view of the seat to act
Choose = Callable[[Random, list[str]], str]


class Reached(NamedTuple):
    """A deal, and the moves that were made from it."""

    setup: Setup
    moves: list[tuple[int, str]]


class Seat(NamedTuple):
    """Somebody at a table: an identity, or a bot of a level."""

    name: str
    identity: str | None = None
    level: str | None = None


def search(game: Game[Any], wanted: Wanted, choose: Choose, most: int = 4000) -> Reached:
    """Deal from one seed after the other and play until a position is as wanted."""
    for number in range(most):
        position, chance = deal(game, number.to_bytes(32, "big")), Random(number)
        setup = game.setup(position)
        moves: list[tuple[int, str]] = []
        while (seat := _to_act(position)) is not None:
            if wanted(game.view(position, seat)):
                return Reached(setup, moves)
            text = choose(chance, game.legal_texts(position, seat))
            play_text(game, position, seat, text)
            moves.append((seat, text))
    raise AssertionError(f"no such position in {most} games")


def _to_act(position: Position) -> int | None:
    seats = position.to_act()
    return seats[0] if seats else None


class Tables:
    """Lays tables in a data directory that no server uses yet."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._laid: list[tuple[str, list[Event], Summary]] = []

    def cookie(self, identity: str) -> str:
        return load_keys(self._data / "signing.keys").sign(identity)

    def lay(self, table: str, game: Game[Any], reached: Reached, seats: Sequence[Seat], began: int = 0) -> None:
        persons = tuple(dict.fromkeys(seat.identity for seat in seats if seat.identity))
        log: list[Event] = [
            Created(game.id, game.settle({}), len(seats), persons[0], True, Clock(), False, False, "00" * 32),
            *[Sat(at, seat.identity, seat.name, seat.level) for at, seat in enumerate(seats)],
            *[Added(person, "a" * 22) for person in persons],
            Started(reached.setup, began),
            *[Played(seat, text) for seat, text in reached.moves],
        ]
        self._laid.append((table, log, Summary(game.id, "playing", True, tuple(sorted(persons)))))

    def store(self) -> None:
        # In a thread of its own: where a browser is open, this one has a loop already.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, self._store()).result()

    async def _store(self) -> None:
        store = SqliteStore(self._data / "sevenhues.db")
        await store.open()
        now = int(time.time() * 1000)
        for table, log, summary in self._laid:
            await store.create(table, [Entry(now, event) for event in log], summary)
        await store.close()
