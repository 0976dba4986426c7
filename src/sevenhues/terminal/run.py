"""Runs the app over a session. Imported lazily: Textual is slow to import."""

import asyncio

from sevenhues.core.resources import ENGLISH
from sevenhues.terminal.app import TerminalApp
from sevenhues.terminal.local import LocalSession


def run_local(session: LocalSession, language: str = ENGLISH) -> None:
    """Play at a local table until the players quit."""
    app = TerminalApp(session, language)
    try:
        app.run()
    finally:
        session.close()
    if app.failure is not None:
        raise app.failure


def run_remote(link: str, name: str | None, language: str = ENGLISH) -> None:
    """Play or watch at a server's table until the player quits."""
    asyncio.run(_run_remote(link, name, language))


async def _run_remote(link: str, name: str | None, language: str) -> None:
    from sevenhues.terminal.remote import join_table

    async with join_table(link, name) as session:
        app = TerminalApp(session, language)
        await app.run_async()
    if app.failure is not None:
        raise app.failure
