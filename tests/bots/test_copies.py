"""Bots can be copied and pickled in the middle of a game, compiled and plain, and go on like their originals."""

from typing import Any

import pytest

from sevenhues import Game, Rng, bots, deal, load, names
from sevenhues.bots import Budget, levels
from sevenhues.bots.levels import make_evaluator
from sevenhues.core.play import bot_move
from tests.ways_to_copy import INDEPENDENT, WAYS

MOVES_BEFORE = 3
MOVES_AFTER = 2
BUDGET = "6"  # simulations for a move


def play_on(game: Game[Any], position: Any, bot: Any, rng: Rng, moves: int) -> list[int]:
    """Let a bot play all seats for some moves; return them."""
    played = []
    for _ in range(moves):
        seat = position.to_act()[0]
        move = bot_move(game, position, seat, bot, rng)
        position.play(seat, move)
        bot.observe_move(seat, move)
        played.append(move)
    return played


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "nimble" else pytest.mark.slow) for name in names()]
)
def test_copied_bots_go_on_like_their_originals(name: str) -> None:
    game = load(name)
    for level in levels(game) + game.bot_support().benchmark_levels():
        bot, position, rng = bots.make(game, level.name, BUDGET), deal(game, b"bots"), Rng(2)
        play_on(game, position, bot, rng, MOVES_BEFORE)
        # Copies are made before any of them plays on: what a shallow copy shares is still as it was.
        others = {way: [WAYS[way](INDEPENDENT["deepcopy"](part)) for part in (position, bot, rng)] for way in WAYS}
        expected = play_on(game, position, bot, rng, MOVES_AFTER)
        for way, (other_position, other_bot, other_rng) in others.items():
            assert play_on(game, other_position, other_bot, other_rng, MOVES_AFTER) == expected, (level.name, way)


@pytest.mark.parametrize("way", WAYS)
def test_copied_search_keeps_its_scores(way: str) -> None:
    game = load("rainbow")
    search = make_evaluator(game, levels(game)[2], Budget(simulations=20), 0)
    position = deal(game, b"scores")
    search.choose(position, position.to_act()[0], Rng(3))
    other = WAYS[way](search)
    assert [(one.move, one.value, one.tries) for one in other.scored_moves] == [
        (one.move, one.value, one.tries) for one in search.scored_moves
    ]
    assert (other.simulations, other.budget.text()) == (search.simulations, search.budget.text())
