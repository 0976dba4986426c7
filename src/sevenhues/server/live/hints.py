"""Hints: the moves that the game's best bot would choose for a player."""

import logging
import secrets

from sevenhues import bots
from sevenhues.core import registry
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng
from sevenhues.protocol import Hint, Hints
from sevenhues.server.live.searches import Searches
from sevenhues.server.table.errors import Refused
from sevenhues.server.table.state import Table

log = logging.getLogger("sevenhues")


async def find_hints(searches: Searches, table: Table, seat: int) -> Hints:
    """Search in a worker, from what the seat has seen, as for a bot's move."""
    assert table.position is not None
    ply, position, user_id = table.ply, table.position.copy(), str(table.seats[seat].user_id)
    try:
        budget, seed = searches.budget(bots.levels(table.game)[-1], user_id), secrets.randbits(60)
        moves = await searches.run(user_id, _find_hints, table.game.id, position, seat, budget, seed)
    except Exception:
        log.exception("the search for a hint failed", extra={"table": table.id})
        raise Refused("no-answer") from None
    return Hints(ply, [Hint(text, chance) for text, chance in moves])


def _find_hints(name: str, position: Position, seat: int, budget: str, seed: int) -> list[tuple[str, float | None]]:
    """Search for the best moves. Runs in a worker."""
    return [(hint.text, hint.chance) for hint in bots.hints(registry.load(name), position, seat, Rng(seed), budget)]
