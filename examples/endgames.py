"""Small variants of the games, for exact solving: the end of a game, with few deals.

The rules are those of the game. Only the start differs: the first moves have been made, and the deal is one of a short
list that both seats know.
"""

from typing import Any, NamedTuple

import sevenhues
from sevenhues import Position, Rng
from sevenhues.core.play import play_text, random_game


class Endgame(NamedTuple):
    """The end of a random game."""

    game: str
    seed: int
    plies: int  # of the random game, before its end
    deals: int


ENDGAMES = {
    "rainbow": Endgame("rainbow", seed=14, plies=4, deals=8),
    "rainbow-road": Endgame("rainbow-road", seed=1, plies=8, deals=8),
}


def starts(endgame: Endgame) -> list[Position]:
    """Return the equally likely starting positions of an endgame.

    Each deal is resampled from the one before it: seat 0 cannot tell the first from the second, nor seat 1 the second
    from the third, and so on.
    """
    game: Any = sevenhues.load(endgame.game)
    rng = Rng(endgame.seed)
    position: Any = sevenhues.quick_deal(game, rng)
    moves = random_game(game, position.copy(), rng)
    for move in moves[: -endgame.plies]:
        play_text(game, position, move.seat, move.text)
    positions = [position]
    for number in range(endgame.deals - 1):
        positions.append(positions[-1].resample(number % 2, rng))
    return positions
