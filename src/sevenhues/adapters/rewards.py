"""Rewards: for winning, by the score, or shaped by the game's own evaluation. Compiled, so without NumPy."""

from typing import Any, Final

from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.options import Options
from sevenhues.core.position import Position, win_payoffs

WIN: Final = "win"
SCORE: Final = "score"
SHAPED: Final = "shaped"
KINDS: Final = (WIN, SCORE, SHAPED)


def check_kind(kind: object, allowed: tuple[str, ...] = KINDS) -> str:
    """Return a kind of rewards; raise BadOption if there is no such kind."""
    if not isinstance(kind, str) or kind not in allowed:
        names = " or ".join([repr(name) for name in allowed])
        raise BadOption(f"reward must be {names}, not {kind!r}")
    return kind


def final_rewards(game: Game[Any], position: Position, kind: str) -> list[float]:
    """Return every seat's reward for the end of a game; 0 while it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return [0.0] * position.seats
    return game.payoffs(position, outcome) if kind == SCORE else win_payoffs(outcome)


def lowest_reward(game: Game[Any], seats: int, options: Options, kind: str) -> float:
    """Return the reward of an illegal action that ends the game."""
    return -game.max_payoff(seats, options) if kind == SCORE else -1.0


def potential(game: Game[Any], position: Position, seat: int) -> float:
    """Return the potential of a seat, which is 0 when the game is over.

    Shaped rewards are its differences. So they sum to the negative potential of the start, whatever is played, and the
    best way to play is the same with them and without.
    """
    return game.bot_support().potential(position, seat) if position.to_act() else 0.0
