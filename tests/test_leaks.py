"""The laws of hidden information catch a leak wherever one is planted: in every field of all that a seat gets."""

import pytest

from sevenhues import load, names
from sevenhues.core.game import default_seats
from tests.planted_leaks import is_caught, places

PLACES = range(2)  # games in which places for leaks are looked for
GAMES = range(12)  # games in which a leak is looked for until it is caught


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("every", [pytest.param(23, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)])
def test_planted_leak_is_caught(name: str, every: int) -> None:
    game = load(name)
    seats = default_seats(game)
    leaks = places(game, seats, PLACES)
    assert len(leaks) > 100
    planted = leaks[::every]
    missed = [str(leak) for leak in planted if not is_caught(game, leak, seats, GAMES)]
    print(f"{name}: {len(planted) - len(missed)} of {len(planted)} planted leaks caught")
    assert missed == [], f"{len(missed)} of {len(planted)} planted leaks are not caught"
