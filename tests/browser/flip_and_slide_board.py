"""Prepared tables of Flip & Slide, and hands that play a move's text on the meadow as people do."""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from sevenhues.core import registry
from sevenhues.core.rng import Dealer
from sevenhues.server import events
from sevenhues.server.events import Entry
from sevenhues.server.identity import COOKIE, load_keys, new_identity
from sevenhues.server.protocol import Clock
from sevenhues.server.store import Summary
from sevenhues.server.store.sqlite import SqliteStore
from tests.browser.user import User

GAME = registry.load("flip-and-slide")
PATIENCE = 15.0
TILES = {14: 1, 21: 2, 28: 4}  # and for how many they are


def setup(colours: str, up: Sequence[str] = ()) -> dict[str, Any]:
    """Lay these colours out in the usual spiral."""
    dealt = GAME.deal(TILES[len(colours)], GAME.settle({}), Dealer(b"any"), None)
    cells = [cell for cell, _ in dealt["tiles"]]
    return {"tiles": [list(pair) for pair in zip(cells, colours, strict=True)], "up": list(up)}


class Prepared:
    """Writes tables into a server's data. Whoever sits there is let in by a cookie."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.cookies: dict[str, str] = {}  # by name
        self._identities: dict[str, str] = {}
        self._keys = load_keys(data / "signing.keys")

    def identity(self, name: str) -> str:
        if name not in self._identities:
            self._identities[name] = new_identity()
            self.cookies[name] = self._keys.sign(self._identities[name])
        return self._identities[name]

    def lay(
        self,
        table: str,
        setup: dict[str, Any],
        seats: Sequence[tuple[str, str]],
        moves: Sequence[tuple[int, str]] = (),
        seed: str | None = None,
    ) -> None:
        """Lay a table that is being played: each seat is a person's and bears a name; some moves may have been made."""
        at = int(time.time() * 1000)
        people = [self.identity(person) for person, _ in seats]
        created = events.Created(
            GAME.id, GAME.settle({}), len(seats), people[0], False, Clock(), False, False, "00" * 32, seed=seed
        )
        log: list[events.Event] = [created]
        log += [events.Sat(i, people[i], name) for i, (_, name) in enumerate(seats)]
        log += [events.Added(person, "x" * 16) for person in dict.fromkeys(people)]
        log += [events.Started(setup, at)]
        log += [events.Played(seat, text) for seat, text in moves]
        summary = Summary(GAME.id, "playing", False, tuple(sorted(set(people))))
        job = self._store(table, [Entry(at, event) for event in log], summary)
        with ThreadPoolExecutor(1) as thread:  # the browser has an event loop running in ours
            thread.submit(asyncio.run, job).result()

    async def _store(self, table: str, log: list[Entry], summary: Summary) -> None:
        store = SqliteStore(self.data / "sevenhues.db")
        await store.open()
        await store.create(table, log, summary)
        for person, identity in self._identities.items():
            await store.name_identity(identity, person, log[0].at)
        await store.close()

    def let_in(self, person: User, name: str) -> User:
        person.context.add_cookies([{"name": COOKIE, "value": self.cookies[name], "url": person.url}])
        return person


def play(page: Page, text: str, *, touch: bool = False) -> None:
    """Play a move by mouse or finger; a finger is asked twice before what cannot be undone."""
    cells = text[1:].split(">")
    spot = page.locator(f'.spot[data-cell="{cells[-1]}"]')
    piece = page.locator(f'.piece[data-cell="{cells[0]}"]')
    presses = {"@": [spot, spot], "J": [spot, spot], "F": [piece, piece], "S": [piece, spot]}[text[0]]
    if not touch and text[0] in "@J":
        presses.pop()
    for at, target in enumerate(presses):
        if at == 0:
            expect(target).to_have_attribute("data-cell", cells[0] if target is piece else cells[-1])
            page.wait_for_function(
                "cell => document.querySelector(`.piece.able[data-cell='${cell}'], .spot[data-cell='${cell}']`)",
                arg=cells[0] if target is piece else cells[-1],
            )
        if touch:
            target.tap()
        else:
            target.click()


def wait_for_move(person: User, ply: int) -> dict[str, Any]:
    """Wait for a position and for the page to show it; return the view."""
    deadline = time.monotonic() + PATIENCE
    while not person.updates or person.updates[-1]["ply"] < ply:
        assert time.monotonic() < deadline, f"move {ply} was not made"
        person.page.wait_for_timeout(30)
    view: dict[str, Any] = person.updates[-1]["eyes"][0]["view"]
    last = view["last"]
    if last is not None:
        moved = f'.piece[data-tile="{last["tile"]}"][data-cell="{last["way"][-1]}"]'
        expect(person.page.locator(moved)).to_have_count(1)
    return view
