"""Hints: the best moves of a seat, with the estimated chance to win with each."""

from typing import Any, Final, NamedTuple

from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import DEFAULT_BUDGET, levels, make_evaluator
from sevenhues.bots.search import Searcher
from sevenhues.core.game import Game
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng

DEFAULT_HINTS: Final = 3  # moves in an answer
MIN_SHARE_OF_BEST: Final = 0.25  # of the best move's chance: a move with less is left out


class Hint(NamedTuple):
    """A move in notation, and the estimated chance to win with it; None for the only legal move."""

    text: str
    chance: float | None


def hint_bot(game: Game[Any], budget: Budget | str = DEFAULT_BUDGET) -> Searcher:
    """Make the game's best level as a bot that evaluates moves."""
    best = levels(game)[-1]
    parsed = Budget.parse(budget) if isinstance(budget, str) else budget
    return make_evaluator(game, best, parsed, best.max_simulations)


def hints(
    game: Game[Any],
    position: Position,
    seat: int,
    rng: Rng,
    budget: Budget | str = DEFAULT_BUDGET,
    max_hints: int = DEFAULT_HINTS,
) -> list[Hint]:
    """Return the best moves of a seat, the best first, computed only from what that seat has seen."""
    bot = hint_bot(game, budget)
    sampled = position.resample(seat, rng)
    moves = sampled.legal(seat)
    if len(moves) == 1:
        return [Hint(game.text(sampled, seat, moves[0]), None)]
    if not moves:
        return []
    scored = bot.evaluate(sampled, seat, moves, rng)
    # A value above that of the most tried move rests on few tries; a value far below it is no advice.
    best = scored[0].value
    reliable = [one for one in scored if one.tries > 0 and best * MIN_SHARE_OF_BEST <= one.value <= best]
    reliable.sort(key=lambda one: -one.value)
    return [Hint(game.text(sampled, seat, one.move), min(1.0, max(0.0, one.value))) for one in reliable[:max_hints]]
