"""The batched game of Flip & Slide agrees with its rules."""

import pytest

from sevenhues import COMPILED, batch, load
from sevenhues.core.game import resolve_options
from tests.batch.batch_equality import chi_square_deviation, compare

compiled_only = pytest.mark.skipif(not COMPILED, reason="too slow for the plain package")
pytestmark = pytest.mark.slow
EASIER = {"red_start": True, "short_slides": True}


@pytest.mark.parametrize(
    ("seats", "chosen", "games", "plies"),
    [
        pytest.param(2, {}, 2, 404, marks=[pytest.mark.long, compiled_only]),
        pytest.param(1, EASIER, 100, 80, marks=pytest.mark.long),
        pytest.param(2, {}, 40, 404, marks=[pytest.mark.long, compiled_only]),
        pytest.param(1, {}, 8, 403, marks=[pytest.mark.long, compiled_only]),
        pytest.param(2, EASIER, 8, 404, marks=[pytest.mark.long, compiled_only]),
        pytest.param(3, EASIER, 8, 405, marks=[pytest.mark.long, compiled_only]),
        pytest.param(4, {}, 8, 406, marks=[pytest.mark.long, compiled_only]),
    ],
)
def test_batch_game_agrees_with_the_rules_in_random_games(
    seats: int, chosen: dict[str, bool], games: int, plies: int
) -> None:
    game = load("flip-and-slide")
    options = resolve_options(game, chosen)
    assert compare(game, batch.make(game, seats, options), games, plies, 7, options) > 5 * games


@pytest.mark.long
@compiled_only
def test_batch_game_picks_random_moves_uniformly() -> None:
    assert abs(chi_square_deviation(batch.make("flip-and-slide"), 60, 3)) < 4
