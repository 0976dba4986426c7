"""Two players of a game with days to a move, whose server notifies them over a push service of the tests."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx

from sevenhues.client import Client, Live
from tests.server.play import DEADLINE_SECONDS, seat_to_act, start_game, wait_until
from tests.server.push_service import Browser, Pushed, PushService

DAYS_TO_A_MOVE = {"clock": {"kind": "move", "seconds": 3 * 24 * 3600}}
LOOPBACK = "--push-to-loopback"


async def subscribe(user: Client, browser: Browser) -> dict[str, Any]:
    """Turn on notifications in a browser of a user."""
    answer = await user._http.post("/api/me/notifications/push", json=browser.body)
    assert answer.status_code == 200, answer.text
    settings: dict[str, Any] = answer.json()
    return settings


async def choose(user: Client, **choices: Any) -> httpx.Response:
    return await user._http.put("/api/me/notifications", json=choices)


async def wait_for_settings(user: Client, wanted: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until a user's settings are as wanted."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while not wanted((await user._http.get("/api/me/notifications")).json()):
            await asyncio.sleep(0.01)


async def join_and_start(ada: Client, ben: Client, game: str = "rainbow", **settings: Any) -> str:
    """Start a game in which Ada moves first, and have both leave the table again; return its id.

    Ben is told of a turn at each game in which he would have moved first, if he has subscribed before.
    """
    while True:  # who moves first is dealt
        table = await ada.create_table(game, ["me", "open"], **{**DAYS_TO_A_MOVE, **settings})
        await ben.join(table.id)
        async with ada.live(table.id) as first, ben.live(table.id) as second:
            await start_game(first, second)
            if seat_to_act(first) == 0:
                return table.id


async def take_turn(user: Client, table: str) -> int:
    """Play until it is another player's turn, and leave; return the number of moves of the game by then."""
    async with user.live(table) as live:
        await live.select_views(*(live.table.your_seats if live.table else []))
        return await play_turn(live)


async def play_turn(live: Live) -> int:
    """Play until it is another player's turn; return the number of moves of the game by then."""
    await wait_until(lambda: live.update is not None and bool(live.seat_view().legal))
    while live.seat_view().legal:
        legal = live.seat_view().legal
        assert live.update is not None
        ply = live.update.ply
        await live.move("E" if "E" in legal else legal[0])
        await wait_until(lambda ply=ply: live.update is not None and live.update.ply > ply)
    assert live.update is not None
    return live.update.ply


def of_kind(pushed: list[Pushed], kind: str, table: str) -> list[Pushed]:
    return [one for one in pushed if one.message["kind"] == kind and one.message["table"] == table]


async def wait_for_push(service: PushService, browser: Browser, kind: str, table: str, count: int = 1) -> list[Pushed]:
    """Wait until a browser has so many messages of a kind about a table."""
    await wait_until(lambda: len(of_kind(service.pushed(browser), kind, table)) >= count)
    return of_kind(service.pushed(browser), kind, table)


async def wait_until_sent(service: PushService, user: Client, other: Client, browser: Browser) -> None:
    """Wait until everything that was due for a user has been sent or dropped.

    Messages are claimed in the order in which they are due: one about a new table comes after all that were due before.
    """
    table = await user.create_table("rainbow", ["me", "open"])
    await other.join(table.id)
    await wait_for_push(service, browser, "joined", table.id)


@asynccontextmanager
async def players(url: str, *names: str) -> AsyncIterator[list[Client]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(Client(url, name)) for name in names]
