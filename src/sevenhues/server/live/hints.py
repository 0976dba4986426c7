"""Hints: what the game's best bot would do in a player's place, where the table allows to ask."""

import logging
import secrets

from sevenhues.core import registry
from sevenhues.core.game import Position
from sevenhues.core.rng import Rng
from sevenhues.protocol import Advice, Advised
from sevenhues.server.errors import Declined
from sevenhues.server.live.live_table import Room
from sevenhues.server.table import commands

log = logging.getLogger("sevenhues")


async def advise(room: Room, by: str, seat: int) -> Advised:
    """Ask a bot in another process, as for a bot's move; it is shown a fiction that fits what the seat has seen."""
    table, house = room.table, room.house
    commands.advise(table, by, seat)
    house.limits.hints.spend(by)
    assert table.position is not None
    ply, seen = table.ply, table.position.copy()
    try:
        moves = await house.bots.ask(_hints, table.game.id, seen, seat, house.bots.budget(), secrets.randbits(60))
    except Exception:
        log.exception("no bot could give a hint", extra={"table": table.id})
        raise Declined("no-answer") from None
    return Advised(ply, [Advice(text, chance) for text, chance in moves])


def _hints(name: str, position: Position, seat: int, think: str, seed: int) -> list[tuple[str, float | None]]:
    """Choose the best moves, in a worker."""
    from sevenhues.bots import hints

    return [(one.text, one.chance) for one in hints(registry.load(name), position, seat, Rng(seed), think)]
