"""Clients of a server that start games and make random moves, and a wait for conditions."""

import asyncio
import random
from collections.abc import Callable

from sevenhues.client import Client, Live, Refused

DEADLINE_SECONDS = 60.0  # reached by a failing test alone
# Refusals that other players and the passing of time cause.
EXPECTED_REFUSALS = ("stale", "over", "too-late", "does-not-fit", "countdown")
Moves = list[tuple[int, int, str]]  # ply, seat, text


async def wait_until(holds: Callable[..., object], seconds: float = DEADLINE_SECONDS) -> None:
    """Wait until a condition holds; fail when it does not within so many seconds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


async def play_on(live: Live, rng: random.Random, max_moves: int = 100_000, pause: float = 0.0) -> Moves:
    """Make random moves until the game is over; return the moves that the server acknowledged."""
    acknowledged: Moves = []
    async for view in live.turns():
        text = rng.choice(view.legal)
        await asyncio.sleep(pause)
        try:
            ply = await live.move(text, view.seat)
        except Refused as error:
            if error.key not in EXPECTED_REFUSALS:
                raise
            await asyncio.sleep(0.02)
            continue
        assert ply is not None
        acknowledged.append((ply, view.seat, text))
        if len(acknowledged) == max_moves:
            break
    return acknowledged


async def start_game(*players: Live) -> None:
    """Have every player add to the deal, and wait until each sees the game."""
    for live in players:
        await live.ready()
    await wait_until(lambda: all(live.update is not None for live in players))


def seat_to_act(live: Live) -> int:
    assert live.update is not None
    return live.update.turn[0]


async def select_view(live: Live, seat: int) -> None:
    """Select the view of one seat, and wait for it."""
    await live.select_views(seat)
    await wait_until(lambda: live.seat_view().seat == seat)


async def play_one_turn_each(*players: Live) -> None:
    """Play short turns of Rainbow, one card and the end of the turn, until every player has moved."""
    waiting = set(players)
    while waiting:
        await wait_until(lambda: any(live.seat_view().legal for live in players))
        live = next(live for live in players if live.seat_view().legal)
        legal = live.seat_view().legal
        await move_and_see(live, "E" if "E" in legal else legal[0])
        waiting.discard(live)


async def move_and_see(live: Live, text: str) -> None:
    """Make a move, and wait for the position after it."""
    assert live.update is not None
    ply = live.update.ply
    await live.move(text)
    await wait_until(lambda: live.update is not None and live.update.ply > ply)


async def play_and_resign(winner: Client, loser: Client, **settings: object) -> str:
    """Play a game of Rainbow in which both players move before the loser resigns; return the table's id."""
    table = await winner.create_table("rainbow", ["me", "open"], **settings)
    await loser.join(table.id)
    async with winner.live(table.id) as first, loser.live(table.id) as second:
        await start_game(first, second)
        await play_one_turn_each(first, second)
        await second.resign(1)
    return table.id
