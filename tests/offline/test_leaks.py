"""Nothing that an offline server sends or lists tells a viewer what the viewer may not see.

The page is sent the same in deals that the viewer cannot tell apart. A leak in any field of that must be noticed.
"""

import json
from typing import Any

import pytest

from sevenhues.core import registry
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.play import TimedMove, play_text
from sevenhues.core.position import WATCHER
from sevenhues.offline.store import DeviceStore
from sevenhues.server.live.store_clock import StoreClock
from sevenhues.server.store import Summary
from sevenhues.server.table import events
from sevenhues.server.table.events import ClockSettings, Entry, Event
from tests.offline.devices import Browser, Tab
from tests.planted_leaks import secret
from tests.server.test_message_leaks import Sent, check_planted_leaks
from tests.server.test_wire import indistinguishable_deals

pytestmark = pytest.mark.anyio
TABLE, OTHER, START = "offline-leaks", "f" * 32, 1_700_000_000_000
NOW = START + 60_000
ADDRESSES = ("", "/record", "/replay?view=everything", "/beliefs?ply=0", "/analysis")
EVERY = 4  # plies, after which a page is looked at


@pytest.fixture(autouse=True)
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StoreClock, "__call__", lambda _: NOW)


def is_of(kind: str) -> Any:
    return lambda message: message["type"] == kind


def bit(game: Game[Any], setup: Any, moves: list[TimedMove]) -> bool:
    """Return a bit of what is hidden after some moves."""
    position = game.start(setup, 2, resolve_options(game, {}))
    for move in moves:
        play_text(game, position, move.seat, move.text)
    return secret(position)


def without_presence(value: Any) -> Any:
    """Leave out who is connected, which is announced after a delay."""
    if isinstance(value, dict):
        return {key: without_presence(item) for key, item in value.items() if key not in ("connected", "watchers")}
    return [without_presence(item) for item in value] if isinstance(value, list | tuple) else value


async def shown(game: Game[Any], setup: Any, moves: list[TimedMove], viewer: int) -> tuple[dict[str, Any], str]:
    """Continue a game from its log as a viewer; return all that the page was sent and may read, and the true events."""
    browser = Browser()
    own = await DeviceStore(browser.database).sign_in("e" * 32)
    ids = [own if seat == viewer else OTHER for seat in range(2)]
    log: list[Event] = [events.Created(game.id, {}, 2, own, False, ClockSettings(), False, False, "00" * 32)]
    log += [events.SeatTaken(seat, ids[seat], f"Player {seat}") for seat in range(2)]
    log += [events.Started(setup, START)]
    log += [events.MovePlayed(move.seat, move.text) for move in moves]
    summary = Summary(game.id, "playing", False, tuple(ids))
    await DeviceStore(browser.database).create(TABLE, [Entry(START, event) for event in log], summary)
    tab = await Tab(browser).open()
    connection = tab.connect(TABLE)
    for _ in ("at once", "with presence"):
        await tab.receive(connection, is_of("table"))
    if viewer != WATCHER:
        tab.send(connection, type="select-views", seats=[viewer], text=True)
        tab.send(connection, type="move", id="bad", seat=viewer, ply=len(moves), text="nonsense")
    tab.send(connection, type="select-views", seats=[])
    tab.send(connection, type="ping", at=1)
    await tab.receive(connection, is_of("pong"))
    seen: dict[str, Any] = {}
    for message in map(without_presence, map(json.loads, tab.texts)):
        sent = seen.setdefault(message["type"], [])
        if message not in sent:
            sent.append(message)
    for address in ADDRESSES:
        seen[f"answer {address}"] = without_presence(await tab.request("GET", f"/api/tables/{TABLE}{address}"))
    seen["tables"] = without_presence(await tab.request("GET", "/api/tables?which=mine"))
    seen["listed"] = [without_presence(json.loads(text)) for text in browser.database.stores["listed"].values()]
    await tab.close()
    return json.loads(json.dumps(seen)), "".join(browser.database.texts(TABLE))


@pytest.mark.parametrize("viewer", [0, 1, WATCHER])
@pytest.mark.parametrize("name", registry.names())
async def test_leak_planted_in_what_the_page_is_sent_is_noticed(name: str, viewer: int) -> None:
    game = registry.load(name)
    setup, other, moves = indistinguishable_deals(game, 2, viewer)
    seen: list[list[Sent]] = []
    stored = set()
    for deal in (setup, other):
        seen.append([])
        for ply in range(len(moves) % EVERY, len(moves) + 1, EVERY):
            page, true = await shown(game, deal, moves[:ply], viewer)
            seen[-1].append(Sent(page, bit(game, deal, moves[:ply])))
        stored.add(true)
    assert len(stored) == 2, "the log has the deal"
    expected = {"table", "update", "pong", "listed", "tables", *(f"answer {address}" for address in ADDRESSES)}
    check_planted_leaks(f"{name}, viewer {viewer}", seen, expected | ({"refused"} if viewer != WATCHER else set()))
