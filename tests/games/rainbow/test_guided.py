"""Games with long rows, rainbows and every kind of end keep the laws."""

from collections import Counter

import pytest

from sevenhues import COMPILED, Position, Rng
from sevenhues.core.play import deal
from sevenhues.games.rainbow import game
from sevenhues.games.rainbow.rules import LOST_TO_CLASH, LOST_TO_SHADE, MADE_RAINBOW, TURN_ENDED, RainbowPosition
from sevenhues.testing import check_game


def mostly_safe_move(position: Position, seat: int, rng: Rng) -> int:
    """Choose a random move that does not lose, judged with all faces known; a tenth of the moves are fully random."""
    moves = position.legal(seat)
    if rng.below(10) > 0:
        moves = [move for move in moves if not loses(position, seat, move)] or moves
    return moves[rng.below(len(moves))]


def loses(position: Position, seat: int, move: int) -> bool:
    after = position.copy()
    assert isinstance(after, RainbowPosition)
    after.play(seat, move)
    return after.last_end in (LOST_TO_SHADE, LOST_TO_CLASH)


def test_guided_games_reach_every_end_of_a_turn_often() -> None:
    ends, rng = Counter[int](), Rng(1)
    for n in range(40):
        position = deal(game, bytes([n]))
        while position.to_act():
            position.play(position.turn, mostly_safe_move(position, position.turn, rng))
            ends[position.last_end] += 1
    assert min(ends[end] for end in (LOST_TO_SHADE, LOST_TO_CLASH, TURN_ENDED, MADE_RAINBOW)) > 5
    assert ends[MADE_RAINBOW] > 40


def test_guided_games_keep_the_laws() -> None:
    assert check_game(game, games=1, seed=1, probes=2, choose=mostly_safe_move) > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_many_guided_games_keep_the_laws(seed: int) -> None:
    assert check_game(game, games=30 if COMPILED else 3, seed=2 + seed, choose=mostly_safe_move) > 0
