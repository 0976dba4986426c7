"""Opens the app over a sitting. Whoever imports this waits for Textual."""

import asyncio

from sevenhues.core.resources import ENGLISH
from sevenhues.terminal.app import Terminal
from sevenhues.terminal.local import Local


def local(sitting: Local, language: str = ENGLISH) -> None:
    """Play at a table dealt here, until the people have had enough."""
    app = Terminal(sitting, language)
    try:
        app.run()
    finally:
        sitting.close()
    if app.failure is not None:
        raise app.failure


def joined(link: str, name: str | None, language: str = ENGLISH) -> None:
    """Play at a server's table."""
    asyncio.run(_joined(link, name, language))


async def _joined(link: str, name: str | None, language: str) -> None:
    from sevenhues.terminal.remote import sit_down

    async with sit_down(link, name) as sitting:
        app = Terminal(sitting, language)
        await app.run_async()
    if app.failure is not None:
        raise app.failure
