"""Resampled deals fit what was seen, and every fitting deal is equally likely."""

from collections import Counter
from itertools import permutations

import pytest

from sevenhues.core.play import deal
from sevenhues.core.position import WATCHER
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road import game
from sevenhues.games.rainbow_road.pieces import listed
from sevenhues.games.rainbow_road.rules import RoadPosition

Hands = tuple[tuple[int, ...], tuple[int, ...]]


def late(plies: int, seed: str = "late") -> RoadPosition:
    position, rng = deal(game, seed.encode()), Rng(5)
    for _ in range(plies):
        position.play(position.turn, position.pick(position.turn, rng))
    return position


def hands(position: RoadPosition) -> Hands:
    return tuple(listed(position.hand_0)), tuple(listed(position.hand_1))


def hands_that_fit(position: RoadPosition, viewer: int) -> Counter[Hands]:
    """Enumerate all deals of the unseen cards, and count how often each pair of hands comes up."""
    mine = hands(position)
    unseen = listed(position.box_card())
    for seat in (0, 1):
        if seat != viewer:
            unseen += mine[seat]
    ways: Counter[Hands] = Counter()
    for order in permutations(range(len(unseen))):
        cards = [unseen[at] for at in order]
        dealt = [mine[seat] if seat == viewer else tuple(sorted([cards.pop() for _ in mine[seat]])) for seat in (0, 1)]
        ways[dealt[0], dealt[1]] += 1
    return ways


@pytest.mark.parametrize(("plies", "viewer"), [(32, 0), (32, 1), (32, WATCHER), (20, 0), (36, WATCHER)])
def test_resampling_draws_every_deal_of_unseen_cards_equally_often(plies: int, viewer: int) -> None:
    position = late(plies)
    expected = hands_that_fit(position, viewer)
    assert len(expected) > 1
    total, samples, rng = sum(expected.values()), 4000, Rng(9)
    counts = Counter(hands(position.resample(viewer, rng)) for _ in range(samples))
    assert set(counts) <= set(expected)
    chi_square = sum((counts[one] - samples * w / total) ** 2 / (samples * w / total) for one, w in expected.items())
    degrees = len(expected) - 1
    assert chi_square < degrees + 4.5 * (2 * degrees) ** 0.5 + 6, "a chi-square this large is not a coincidence"


@pytest.mark.parametrize(("viewer", "ways"), [(0, 6), (1, 6), (WATCHER, 90)])
def test_resampling_draws_every_deal_of_unseen_pranks_equally_often(viewer: int, ways: int) -> None:
    position, rng, samples = late(0), Rng(2), 6000
    counts = Counter(str(game.setup(position.resample(viewer, rng))["pranks"]) for _ in range(samples))
    assert len(counts) == ways
    assert max(abs(count - samples / ways) for count in counts.values()) < 5 * (samples / ways) ** 0.5


def test_resampling_deals_used_pranks_to_their_user() -> None:
    position, rng = late(45, "pranks"), Rng(4)
    used = [pranks["used"] for pranks in game.view(position, WATCHER)["pranks"]]
    assert used[0] or used[1]
    for _ in range(50):
        other = position.resample(WATCHER, rng)
        dealt = game.setup(other)["pranks"]
        assert [pranks["used"] for pranks in game.view(other, WATCHER)["pranks"]] == used
        assert all(set(used[seat]) <= set(dealt[seat]) for seat in (0, 1))


def test_resampling_deals_played_cards_to_their_player() -> None:
    position, rng = late(25), Rng(4)
    played = [Counter(game.setup(position)["hands"][seat]) - Counter(hands(position)[seat]) for seat in (0, 1)]
    for viewer in (0, 1, WATCHER):
        other = position.resample(viewer, rng)
        dealt = game.setup(other)["hands"]
        assert [Counter(dealt[seat]) - Counter(hands(other)[seat]) for seat in (0, 1)] == played


def test_resampling_depends_only_on_what_the_seat_has_seen() -> None:
    position = late(10)
    other = position.resample(0, Rng(5))
    assert other.key() != position.key()
    assert other.resample(0, Rng(6)).key() == position.resample(0, Rng(6)).key()
