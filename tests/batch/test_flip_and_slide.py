"""The batched game of Flip & Slide agrees with its rules."""

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from librt.vecs import vec
from mypy_extensions import i64

from sevenhues import COMPILED, batch, load
from sevenhues.core.arrays import as_list
from sevenhues.core.game import resolve_options
from sevenhues.games.flip_and_slide.batch.board import BatchBoard, Geometry, geometry_of
from sevenhues.games.flip_and_slide.geometry import SIDES, STEP_Q, STEP_R, cell_at, patch_of
from sevenhues.games.flip_and_slide.pieces import SHORT_SLIDE, UNLIMITED
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


@pytest.mark.parametrize("chosen", [{}, {"short_slides": True}])
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_batch_board_finds_cut_tiles_and_slides_in_patches_of_any_shape(seats: int, chosen: dict[str, bool]) -> None:
    board = BatchBoard(seats, bool(chosen))
    rng = Random(seats)
    patches = [random_patch(rng, board.size) for _ in range(20)]
    words = [jnp.stack(parts) for parts in zip(*[geometry_of(cells) for cells in patches], strict=True)]

    @jax.jit
    def answers(geometry: Geometry) -> tuple[jax.Array, jax.Array]:
        return board.cut_tiles(geometry), board.slides(geometry) & board.encodable(geometry)

    cut_tiles, slides = [np.asarray(part) for part in answers(Geometry(*words))]
    for i, cells in enumerate(patches):
        patch = patch_of([cell_at(q, r) for q, r in cells])
        for tile in range(board.size):
            # FS-10
            assert bool(cut_tiles[i] >> tile & 1) == patch.is_cut_tile(tile), (cells, tile)
            if not patch.is_cut_tile(tile):
                # FS-9, FS-18
                moves = vec[i64]([0] * patch.beside)
                end = patch.write_slides(tile, SHORT_SLIDE if chosen else UNLIMITED, 0, patch.rim(), moves, 0)
                assert np.flatnonzero(slides[i] >> tile & 1).tolist() == as_list(moves[:end]), (cells, tile)


def random_patch(rng: Random, size: int) -> list[tuple[int, int]]:
    """Return the cells of a connected patch: compact, or winding with holes and narrow gaps."""
    winding = rng.choice([0.0, 0.5, 0.9])
    cells = [(0, 0)]
    while len(cells) < size:
        q, r = cells[-1] if rng.random() < winding else rng.choice(cells)
        side = rng.randrange(SIDES)
        cell = q + STEP_Q[side], r + STEP_R[side]
        if cell not in cells:
            cells.append(cell)
    rng.shuffle(cells)
    return cells
