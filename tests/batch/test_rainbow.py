"""The batched game of Rainbow agrees with its rules."""

import pytest

from sevenhues import COMPILED, Rng, batch, deal, load
from sevenhues.core.game import resolve_options
from sevenhues.games.rainbow.pieces import MAX_PLIES
from tests.batch.batch_equality import compare

MANY = 2000 if COMPILED else 150


@pytest.mark.parametrize(
    "games", [pytest.param(40, marks=pytest.mark.slow), pytest.param(MANY, marks=pytest.mark.long)]
)
def test_batch_game_agrees_with_the_rules_in_random_games(games: int) -> None:
    game = load("rainbow")
    assert compare(game, batch.make(game), games, MAX_PLIES + 1, 17, resolve_options(game, {})) > 80 * games


@pytest.mark.slow
def test_network_input_depends_only_on_what_the_seat_has_seen() -> None:
    game, rng = load("rainbow"), Rng(5)
    changed = 0
    for i in range(4):
        position = deal(game, b"%d" % i)
        while (seat := position.pick_seat(rng)) >= 0:
            for viewer in range(2):
                other = position.resample(viewer, rng)
                changed += other.key() != position.key()
                assert game.network_input_encoder().encode(other, viewer) == game.network_input_encoder().encode(
                    position, viewer
                )
            position.play(seat, position.pick(seat, rng))
    assert changed > 200
