"""Objects of the core can be copied and pickled, compiled and plain, and go on like their originals."""

from typing import Any

import pytest

from sevenhues import Bot, Dealer, Option, Outcome, Position, Rng, deal, load, names
from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.encoder import Feature
from sevenhues.core.game import resolve_options
from sevenhues.core.play import random_game
from sevenhues.core.record import begin, write
from sevenhues.core.rng import ScriptedDealer
from tests.ways_to_copy import INDEPENDENT, WAYS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", names())
def test_copied_game_deals_and_plays_like_its_original(name: str, way: str) -> None:
    game = load(name)
    options, other = resolve_options(game, {}), WAYS[way](game)
    assert type(other) is type(game)
    setup = game.deal(game.max_seats, options, Dealer(b"copies"), None)
    assert other.deal(game.max_seats, options, Dealer(b"copies"), None) == setup
    if game.move_count(game.max_seats, options) < 500:
        positions = [game.start(setup, game.max_seats, options), other.start(setup, game.max_seats, options)]
        assert random_game(game, positions[0], Rng(1)) == random_game(other, positions[1], Rng(1))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", names())
def test_copied_position_plays_on_like_its_original(name: str, way: str) -> None:
    game, rng = load(name), Rng(5)
    position = deal(game, b"copies", game.max_seats)
    for _ in range(10):
        seat = position.pick_seat(rng)
        position.play(seat, position.pick(seat, rng))
    other, other_rng = WAYS[way](position), WAYS[way](rng)
    key = position.key()
    for _ in range(3):
        seat = other.pick_seat(other_rng)
        other.play(seat, other.pick(seat, other_rng))
    assert position.key() == key
    for _ in range(3):
        seat = position.pick_seat(rng)
        position.play(seat, position.pick(seat, rng))
    assert position.key() == other.key() != key


@pytest.mark.parametrize("way", WAYS)
def test_copied_generator_draws_the_same_numbers(way: str) -> None:
    rng = Rng(7)
    rng.next()
    other = WAYS[way](rng)
    continued = Rng(rng.seed)
    expected = [rng.next() for _ in range(9)]
    assert [other.next() for _ in range(9)] == expected
    assert [continued.next() for _ in range(9)] == expected


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("dealer", [Dealer(b"seven"), ScriptedDealer(list(range(6)))], ids=["dealer", "scripted"])
def test_copied_dealer_makes_the_same_choices(dealer: Dealer, way: str) -> None:
    first = INDEPENDENT["deepcopy"](dealer)
    first.below(100)
    expected = WAYS[way](first)
    rest = INDEPENDENT["pickle"](expected)
    assert [rest.below(100) for _ in range(5)] == [expected.below(100) for _ in range(5)]


@pytest.mark.parametrize("way", WAYS)
def test_copied_values_have_the_attributes_of_their_originals(way: str) -> None:
    game = load("rainbow")
    originals: list[tuple[Any, tuple[str, ...]]] = [
        (Outcome("all played", [1], [2, 1]), ("reason", "winners", "places")),
        (Option("aid", (False, True), "what it does", helps=True), ("name", "choices", "about", "helps", "default")),
        (Feature("cards", 12, 3, "the hand"), ("name", "size", "high", "about")),
        (Level("novice", "a beginner", "flat", Heuristics(), 50), ("name", "about", "search", "max_simulations")),
    ]
    for original, attributes in originals:
        other = WAYS[way](original)
        assert [getattr(other, name) for name in attributes] == [getattr(original, name) for name in attributes]
    for level in game.bot_support().levels():
        other = WAYS[way](level)
        assert (other.name, type(other.heuristics)) == (level.name, type(level.heuristics))


@pytest.mark.parametrize("way", WAYS)
def test_copied_record_is_written_like_its_original(way: str) -> None:
    game = load("rainbow")
    position = deal(game, b"record")
    started = begin(game, position, {})
    started.moves += random_game(game, position, Rng(1))
    assert write(WAYS[way](started)) == write(started)


class Counting(Bot):
    """A bot of a user: an interpreted class with attributes of its own."""

    def __init__(self, name: str) -> None:
        self.title = name
        self.moves = 0
        self.heard: list[int] = []

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        self.moves += 1
        return position.legal(seat)[self.moves % len(position.legal(seat))]

    def observe_move(self, seat: int, move: int) -> None:
        self.heard.append(move)


@pytest.mark.parametrize("way", WAYS)
def test_copied_bot_of_a_user_keeps_its_attributes(way: str) -> None:
    bot, position = Counting("counting"), deal(load("rainbow"), b"user")
    bot.choose(position, position.to_act()[0], Rng(1))
    bot.observe_move(0, 3)
    other = WAYS[way](bot)
    assert (other.title, other.moves, other.heard) == ("counting", 1, [3])
    other.moves = 5
    assert bot.moves == 1
    if way in INDEPENDENT:
        other.heard.append(4)
        assert bot.heard == [3]
