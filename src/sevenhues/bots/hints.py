"""What the best bot of a game would do, and how good it thinks each of the best moves is."""

from typing import Any, Final, NamedTuple

from sevenhues.bots.budget import Think
from sevenhues.bots.levels import THINK, levels, weighing
from sevenhues.bots.search import Searcher
from sevenhues.core.game import Game
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

BEST: Final = 3  # moves that are told, unless somebody asks for more
WORTH: Final = 0.25  # of the best move's chance: with less a move is not told


class Hint(NamedTuple):
    """A move in notation, and the estimated chance to win with it; None for the only move there is."""

    text: str
    chance: float | None


def adviser(game: Game[Any], think: Think | str = THINK) -> Searcher:
    """Make the game's best level as one that weighs moves."""
    best = levels(game)[-1]
    budget = Think.read(think) if isinstance(think, str) else think
    return weighing(game, best, budget, best.max_simulations)


def hints(
    game: Game[Any], position: Position, seat: int, rng: Rng, think: Think | str = THINK, most: int = BEST
) -> list[Hint]:
    """Return the best moves of a seat, the best first, from what that seat has seen alone."""
    bot = adviser(game, think)
    seen = position.resample(seat, rng)
    moves = seen.legal(seat)
    if len(moves) == 1:
        return [Hint(game.text(seen, seat, moves[0]), None)]
    if not moves:
        return []
    judged = bot.judge(seen, seat, moves, rng)
    # What seems better than the best rests on few tries; what is far behind it is no advice.
    best = judged[0].value
    sure = [one for one in judged if one.tries > 0 and best * WORTH <= one.value <= best]
    sure.sort(key=lambda one: -one.value)
    return [Hint(game.text(seen, seat, one.move), min(1.0, max(0.0, one.value))) for one in sure[:most]]
