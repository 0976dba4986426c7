"""Tables for tests of the terminal: bots that answer at once, and people who press keys."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from sevenhues import load
from sevenhues.core import record
from sevenhues.core.game import Game
from sevenhues.core.play import Played, deal
from sevenhues.core.rng import Rng
from sevenhues.terminal.app import Terminal
from sevenhues.terminal.local import Local
from sevenhues.terminal.sitting import Sitting
from sevenhues.terminal.thinking import Thinking

SIZE = (80, 24)


def begun(game: Game[Any], names: list[str], plies: int = 0, seed: bytes = b"1", **options: object) -> record.Record:
    """Deal a game and play some of it as its bots do."""
    position = deal(game, seed, len(names), options)
    found = record.begin(game, position, options, names)
    rng = Rng(7)
    for ply in range(plies):
        seat = position.pick_seat(rng)
        move = game.guide().policy(position, seat, rng)
        at = 500 * ply if game.simultaneous else None
        found.moves.append(Played(seat, game.text(position, seat, move), at))
        position.play(seat, move)
    return found


def local(found: record.Record, save: Path | None = None, pause: float = 0.0) -> Local:
    """Lay a table whose bots answer at once."""
    thinking = Thinking(found.game, "20")

    def another(winners: list[int] | None) -> Any:
        return deal(found.game, b"8", len(found.seats), found.options, winners)

    return Local(found, save, another, pause, 0.0, thinking, Rng(1))


@asynccontextmanager
async def shown(sitting: Sitting, size: tuple[int, int] = SIZE) -> AsyncIterator[tuple[Terminal, Pilot[None]]]:
    """Show a sitting on a screen that nobody sees."""
    app = Terminal(sitting)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot
    if isinstance(sitting, Local):
        sitting.close()
    if app.failure is not None:
        raise app.failure


async def until(pilot: Pilot[None], holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until something holds."""
    for _ in range(int(seconds / 0.02)):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"it never came about: {screen(pilot.app)}")


def screen(app: Any) -> str:
    """Return all the text on the screen."""
    width, height = app.size
    lines = app.screen._compositor.render_strips(app.size)
    return "\n".join(strip.text[:width] for strip in lines[:height])


def said(app: Terminal) -> str:
    """Return what the line for messages says."""
    return str(app.message.content)


def a_game(name: str) -> Game[Any]:
    return load(name)
