"""Rainbow's twin plays as Rainbow does."""

from sevenhues import COMPILED, Rng, batch, deal, load
from sevenhues.games.rainbow.pieces import MOST_PLIES
from tests.batch.twins import compare

GAMES = 2000 if COMPILED else 150


def test_random_games_go_alike_in_twin_and_core() -> None:
    game = load("rainbow")
    assert compare(game, batch.twin(game), GAMES, MOST_PLIES + 1, 17, game.settle({})) > 80 * GAMES


def test_memory_depends_on_what_was_seen_alone() -> None:
    game, rng = load("rainbow"), Rng(5)
    changed = 0
    for i in range(10):
        position = deal(game, b"%d" % i)
        while (seat := position.pick_seat(rng)) >= 0:
            for viewer in range(2):
                other = position.resample(viewer, rng)
                changed += other.key() != position.key()
                assert game.memory(other, viewer) == game.memory(position, viewer)
            position.play(seat, position.pick(seat, rng))
    assert changed > 500
