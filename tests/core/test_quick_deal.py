"""Quick deals are deals of the rules, follow from their seed, and are as likely as the dealer's."""

from collections import Counter
from typing import Any

import pytest

from sevenhues import Position, Rng, deal, load, names
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.play import quick_deal
from tests.toy_games.duel import game as duel

TABLES = [(name, seats) for name in names() for seats in range(load(name).min_seats, load(name).max_seats + 1)]
DEALS = 400


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_quick_deal_is_a_deal_of_the_rules(name: str, seats: int) -> None:
    game = load(name)
    options = {option.name: option.choices[-1] for option in game.options}
    for seed in range(20):
        position = quick_deal(game, Rng(seed), seats, options)
        setup = game.setup(position)
        started = game.start(setup, seats, resolve_options(game, options))  # validates it
        assert started.key() == position.key()
        assert game.view(started, 0) == game.view(position, 0)
        game.dealer_choices(setup, seats, resolve_options(game, options))  # raises an error if it is never dealt
        assert sorted(position.all_pieces()) == sorted(deal(game, b"", seats, options).all_pieces())


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_quick_deal_follows_from_its_generator(name: str, seats: int) -> None:
    game = load(name)
    dealt = [game.setup(quick_deal(game, Rng(seed), seats)) for seed in (1, 1, 2)]
    assert dealt[0] == dealt[1] != dealt[2]
    rng = Rng(1)
    assert game.setup(quick_deal(game, rng, seats)) != game.setup(quick_deal(game, rng, seats))


def choices(game: Game[Any], positions: list[Position], seats: int) -> list[Counter[int]]:
    """Count what the dealer would have chosen, choice by choice."""
    options = resolve_options(game, {})
    rows = [game.dealer_choices(game.setup(position), seats, options) for position in positions]
    return [Counter(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("name", names())
def test_quick_deals_are_as_likely_as_the_dealers(name: str) -> None:
    """Compare the frequency of every choice with the dealer's: fixed seeds, so the outcome never varies."""
    game, seats = load(name), load(name).max_seats
    rng = Rng(11)
    quick = choices(game, [quick_deal(game, rng, seats) for _ in range(DEALS)], seats)
    proven = choices(game, [deal(game, bytes([seed % 256, seed // 256]), seats) for seed in range(DEALS)], seats)
    assert len(quick) == len(proven)
    for one, other in zip(quick, proven, strict=True):
        for choice in one | other:
            # The difference of two counts has a standard deviation of at most this.
            spread = (one[choice] + other[choice]) ** 0.5
            assert abs(one[choice] - other[choice]) < 5 * spread + 1


def test_game_without_its_own_quick_deal_has_one() -> None:
    dealt = [duel.setup(quick_deal(duel, Rng(seed))) for seed in (1, 1, 2)]
    assert dealt[0] == dealt[1] != dealt[2]


def test_quick_deal_refuses_wrong_seats_and_options() -> None:
    with pytest.raises(BadOption, match="Rainbow is for 2 seats, not 5"):
        quick_deal(load("rainbow"), Rng(1), 5)
    with pytest.raises(BadOption, match="Rainbow has no option 'size'"):
        quick_deal(load("rainbow"), Rng(1), None, {"size": 3})
