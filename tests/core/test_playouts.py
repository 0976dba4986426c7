"""Random games in one call are those that are played one by one."""

import sevenhues
from sevenhues.core.play import playouts
from tests.toy_games.poker import Kuhn, Leduc

GAMES = 300


def test_playouts_are_random_games_from_quick_deals() -> None:
    game = sevenhues.load("rainbow")
    options, rng = {"memory_aid": False}, sevenhues.Rng(5)
    decisions, totals = 0, [0, 0]
    for _ in range(GAMES):
        position = game.quick_start(2, options, rng)
        decisions += sevenhues.playout(position, rng)
        totals = [total + score for total, score in zip(totals, position.scores(), strict=True)]
    assert playouts(game, GAMES, 2, options, sevenhues.Rng(5)) == (decisions, totals)


def test_quick_deals_of_poker_reach_every_deal() -> None:
    rng = sevenhues.Rng(1)
    assert len({Kuhn().quick_start(2, {}, rng).pack for _ in range(100)}) == 6
    assert len({Leduc().quick_start(2, {}, rng).pack for _ in range(20_000)}) == 720


def test_no_playout_is_no_decision() -> None:
    assert playouts(Kuhn(), 0, 2, {}, sevenhues.Rng(1)) == (0, [0, 0])
