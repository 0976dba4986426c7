"""Tables written straight into a server's store: a test starts from any deal, and from any position."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sevenhues.core.game import Game, Setup, resolve_options
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import deal, play_text
from sevenhues.core.position import Position
from sevenhues.server.accounts.cookies import COOKIE_NAME, load_keys, new_user_id
from sevenhues.server.store import Summary
from sevenhues.server.store.sqlite import SqliteStore
from sevenhues.server.table.events import (
    ClockSettings,
    Created,
    EntropyAdded,
    Entry,
    Event,
    MovePlayed,
    SeatTaken,
    Started,
)
from tests.browser.user import User

Wanted = Callable[[Any], bool]  # called with the view of the seat to act
Choose = Callable[[Random, list[str]], str]  # picks one of the legal moves


class Start(NamedTuple):
    """A deal, and the moves that were made from it."""

    setup: Setup
    moves: Sequence[tuple[int, str]] = ()


class Seat(NamedTuple):
    """A seat of a prepared table: a user's, by their id, or a bot's, by its level."""

    name: str
    user_id: str | None = None
    level: str | None = None


def random_move(rng: Random, legal: list[str]) -> str:
    return rng.choice(legal)


def find_position(game: Game[Any], wanted: Wanted, choose: Choose = random_move, most: int = 4000) -> Start:
    """Deal from one seed after the other and play until a position is as wanted."""
    for number in range(most):
        position, rng = deal(game, number.to_bytes(32, "big")), Random(number)
        setup = game.setup(position)
        moves: list[tuple[int, str]] = []
        while (seat := _seat_to_act(position)) is not None:
            if wanted(game.view(position, seat)):
                return Start(setup, moves)
            text = choose(rng, legal_texts(game, position, seat))
            play_text(game, position, seat, text)
            moves.append((seat, text))
    raise AssertionError(f"no such position in {most} games")


def _seat_to_act(position: Position) -> int | None:
    seats = position.to_act()
    return seats[0] if seats else None


class PreparedTables:
    """Creates tables in the data directory of a server, which may be running."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def create(
        self,
        game: Game[Any],
        start: Start,
        seats: Sequence[Seat],
        *,
        table: str = "",
        options: Mapping[str, object] | None = None,
        began: int = 0,
        seed: str | None = None,
        hints: bool = False,
    ) -> str:
        """Create a table where a game is being played, and return its id: a new one, unless it is given."""
        table = table or f"{game.id}-{secrets.token_hex(6)}"
        users = list(dict.fromkeys(seat.user_id for seat in seats if seat.user_id))
        resolved = resolve_options(game, options or {})
        log: list[Event] = [
            Created(
                game.id,
                resolved,
                len(seats),
                users[0],
                False,
                ClockSettings(),
                False,
                False,
                "00" * 32,
                seed=seed,
                hints=hints,
            ),
            *[SeatTaken(number, seat.user_id, seat.name, seat.level) for number, seat in enumerate(seats)],
            *[EntropyAdded(user, "a" * 22) for user in users],
            Started(start.setup, began),
            *[MovePlayed(seat, text) for seat, text in start.moves],
        ]
        summary = Summary(game.id, "playing", False, tuple(sorted(users)))
        names = {seat.user_id: seat.name for seat in reversed(seats) if seat.user_id}
        # Playwright keeps an event loop running in this thread.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, self._store(table, log, summary, names)).result()
        return table

    async def _store(self, table: str, log: list[Event], summary: Summary, names: dict[str, str]) -> None:
        now = int(time.time() * 1000)
        store = SqliteStore(self._data / "sevenhues.db")
        await store.open()
        await store.create(table, [Entry(now, event) for event in log], summary)
        for user_id, name in names.items():
            await store.rename_user(user_id, name, now)
        await store.close()

    def cookie(self, user_id: str) -> str:
        return load_keys(self._data / "signing.keys").sign(user_id)

    def sign_in(self, user: User, user_id: str) -> None:
        user.context.add_cookies([{"name": COOKIE_NAME, "value": self.cookie(user_id), "url": user.url}])

    def seat(self, game: Game[Any], start: Start, *users: User, bots: Sequence[str] = (), **settings: Any) -> str:
        """Create a table with users and then bots of these levels, open it for the users, and return its path.

        A user who is given more than once has several seats on one device.
        """
        user_ids = {user: new_user_id() for user in users}
        names = ["Ada", "Ines", "Jonas", "Mira"]
        seats = [Seat(names[number], user_ids[user]) for number, user in enumerate(users)]
        seats += [Seat(f"Bot {number}", level=level) for number, level in enumerate(bots, 1)]
        path = f"/t/{self.create(game, start, seats, **settings)}"
        for user, user_id in user_ids.items():
            self.sign_in(user, user_id)
            user.open(path)
        return path
