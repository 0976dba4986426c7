"""Bot accounts in tests: their owners, their clients, and a look at what they hear of."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from sevenhues import protocol
from sevenhues.client import Client, Disconnected
from tests.server.play import DEADLINE_SECONDS, wait_until

Event = protocol.BotChallenge | protocol.BotGame


class Listener:
    """The events of a bot, and why they ended."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.ended: Disconnected | None = None

    def challenges(self, table_id: str) -> list[protocol.BotChallenge]:
        return [one for one in self.events if isinstance(one, protocol.BotChallenge) and one.table.id == table_id]

    async def listen(self, bot: Client) -> None:
        try:
            async with aclosing(bot.bot_events()) as events:
                async for event in events:
                    self.events.append(event)
        except Disconnected as error:
            self.ended = error


@asynccontextmanager
async def listening(bot: Client) -> AsyncIterator[Listener]:
    """Keep a bot online, and collect what it hears of."""
    listener = Listener()
    task = asyncio.create_task(listener.listen(bot))
    try:
        await wait_until_online(bot, bot.me.player)
        yield listener
    finally:
        task.cancel()
        await asyncio.wait([task])


async def wait_until_online(client: Client, player: str) -> None:
    """Wait until a bot can be challenged."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while not (await client._request("GET", f"/api/players/{player}", protocol.Profile)).bot.online:  # type: ignore[union-attr]
            await asyncio.sleep(0.02)


async def wait_for_challenge(listener: Listener, table_id: str) -> protocol.BotChallenge:
    await wait_until(lambda: listener.challenges(table_id))
    return listener.challenges(table_id)[0]
