"""Terminal sessions for tests: bots that answer at once, and the app without a real screen."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from sevenhues.core import record
from sevenhues.core.game import Game
from sevenhues.core.play import TimedMove, deal
from sevenhues.core.rng import Rng
from sevenhues.terminal.app import TerminalApp
from sevenhues.terminal.bot_worker import BotWorker
from sevenhues.terminal.local import LocalSession
from sevenhues.terminal.session import Session

SIZE = (80, 24)


def started_record(
    game: Game[Any], names: list[str], plies: int | None = 0, seed: bytes = b"1", **options: object
) -> record.Record:
    """Deal a game, play so many moves by its policy, or all of them, and return the record."""
    position = deal(game, seed, len(names), options)
    game_record = record.begin(game, position, options, names)
    rng = Rng(7)
    for ply in count() if plies is None else range(plies):
        seat = position.pick_seat(rng)
        if seat < 0:
            break
        move = game.bot_support().heuristics().policy(position, seat, rng)
        at = 500 * ply if game.simultaneous else None
        game_record.moves.append(TimedMove(seat, game.text(position, seat, move), at))
        position.play(seat, move)
    return game_record


def local_session(game_record: record.Record, file: Path | None = None, bot_delay_seconds: float = 0.0) -> LocalSession:
    """Start a local session whose bots answer at once."""
    bot_worker = BotWorker(game_record.game, "20")

    def deal_next(winners: list[int] | None) -> Any:
        return deal(game_record.game, b"8", len(game_record.seats), game_record.options, winners)

    return LocalSession(game_record, file, deal_next, bot_delay_seconds, 0.0, bot_worker, Rng(1))


@asynccontextmanager
async def running_app(session: Session, size: tuple[int, int] = SIZE) -> AsyncIterator[tuple[TerminalApp, Pilot[None]]]:
    """Run the terminal application over a session, without a real screen."""
    app = TerminalApp(session)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot
    if isinstance(session, LocalSession):
        session.close()
    if app.failure is not None:
        raise app.failure


async def wait_until(pilot: Pilot[None], holds: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until a condition holds; fail when it does not within so many seconds."""
    for _ in range(int(seconds / 0.02)):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"the condition does not hold in time: {screen_text(pilot.app)}")


def screen_text(app: Any) -> str:
    """Return the whole text on the screen."""
    width, height = app.size
    lines = app.screen._compositor.render_strips(app.size)
    return "\n".join(strip.text[:width] for strip in lines[:height])


def message_text(app: TerminalApp) -> str:
    """Return the text of the message line."""
    return str(app.message.content)
