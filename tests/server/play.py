"""Players that tests send to a table."""

import asyncio
import random

from sevenhues.client import Live, Refused

PASSING = ("stale", "over", "too-late", "does-not-fit", "countdown")  # refusals that come of other players and of time


async def play_on(
    live: Live, chance: random.Random, most: int = 100_000, rest: float = 0.0
) -> list[tuple[int, int, str]]:
    """Play random moves until the game is over; return what was acknowledged: ply, seat, text."""
    stood: list[tuple[int, int, str]] = []
    async for eye in live.turns():
        text = chance.choice(eye.legal)
        await asyncio.sleep(rest)
        try:
            ply = await live.move(text, eye.seat)
        except Refused as error:
            if error.key not in PASSING:
                raise
            await asyncio.sleep(0.02)
            continue
        assert ply is not None
        stood.append((ply, eye.seat, text))
        if len(stood) == most:
            break
    return stood


async def until(holds: object, seconds: float = 10.0) -> None:
    """Wait until something holds, which a function tells."""
    assert callable(holds)
    for _ in range(int(seconds / 0.02)):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came about")
