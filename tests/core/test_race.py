"""Races between bots: simulated time, lost races, mistakes and reaction times."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from sevenhues import Bot, Position, Rng, deal
from sevenhues.core import record
from sevenhues.core.bot_support import Level, ReactionModel, reaction
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import TimedMove, bot_game
from sevenhues.games.nimble import game
from tests.games.nimble.positions import table

MIN_REACTION_SECONDS = 0.35  # of the default reaction model


class Steady(ReactionModel[Any]):
    """Takes the same time for every move."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def delay(self, position: Position, seat: int, move: int, rng: Rng) -> float:
        return self.seconds


class Clumsy(Steady):
    """Makes an illegal move, turning its set over, every other time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.moves = 0

    def mistake(self, position: Position, seat: int, move: int, rng: Rng) -> int:
        self.moves += 1
        return 5 if self.moves % 2 else move


class Eager(Bot):
    """Places a card if it can, otherwise flips or turns over. Counts its choices."""

    def __init__(self) -> None:
        self.choices = 0
        self.observed: list[tuple[int, int]] = []

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        self.choices += 1
        moves = position.legal(seat)
        placing = [move for move in moves if move in (1, 2, 3)]
        return placing[0] if placing else 0 if 0 in moves else 5

    def observe_move(self, seat: int, move: int) -> None:
        self.observed.append((seat, move))


def race(
    seed: str, seats: int = 2, reactions: Sequence[ReactionModel[Any]] = (), checking: str = "referee"
) -> tuple[Position, str]:
    """Play a race between eager bots; return the last position and the record."""
    position = deal(game, seed.encode(), seats, {"checking": checking})
    game_record = record.begin(game, position, {"checking": checking})
    game_record.moves = bot_game(game, position, [Eager() for _ in range(seats)], Rng.seeded(seed), reactions=reactions)
    game_record.result = record.result_of(position)
    return position, record.write(game_record)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_race_times_ascend_and_the_record_replays(seats: int) -> None:
    position, text = race("forward", seats)
    read_back = record.read(text, game)
    times = [move.at_ms or 0 for move in read_back.moves]
    assert times == sorted(times)
    for seat in range(seats):
        own = [0] + [move.at_ms or 0 for move in read_back.moves if move.seat == seat]
        assert min([later - sooner for sooner, later in pairwise(own)]) >= 1000 * MIN_REACTION_SECONDS - 1
    *_, last = record.replay(read_back)
    assert last.key() == position.key()
    assert last.outcome() is not None


def test_race_is_repeated_by_its_seed_and_changed_by_another() -> None:
    assert race("again")[1] == race("again")[1]
    position = deal(game, b"again")
    other_moves = bot_game(game, position, [Eager(), Eager()], Rng(1))
    assert other_moves != record.read(race("again")[1], game).moves


def test_slower_bot_loses_the_race_and_chooses_again() -> None:
    # Both piles show a card that fits the first stack and no other.
    position = table("QA QM AW", "QE AP", targets="001", moves="0f 1f")
    assert legal_texts(game, position, 0) == legal_texts(game, position, 1) == ["b", "f", "p1"]
    slow, fast = Eager(), Eager()
    moves = bot_game(game, position, [slow, fast], Rng(1), max_moves=3, reactions=[Steady(0.5), Steady(0.4)])
    assert moves == [TimedMove(1, "p1", 400), TimedMove(1, "f", 800), TimedMove(0, "f", 1000)]
    assert (slow.choices, position.height(0)) == (2, 2)


def test_refused_mistake_costs_its_time_and_nothing_else() -> None:
    position = deal(game, b"slip")
    clumsy, steady = Eager(), Eager()
    moves = bot_game(game, position, [clumsy, steady], Rng(1), max_moves=12, reactions=[Clumsy(0.5), Steady(0.5)])
    assert [move.at_ms for move in moves if move.seat == 0] == [1000, 2000, 3000, 4000]
    assert [move.at_ms for move in moves if move.seat == 1] == [500 * i for i in range(1, 9)]
    assert clumsy.choices == 9
    assert clumsy.observed == steady.observed
    assert len(clumsy.observed) == 12


def test_race_stops_after_the_maximum_number_of_moves() -> None:
    position = deal(game, b"left")
    assert len(bot_game(game, position, [Eager(), Eager()], Rng(1), max_moves=5)) == 5
    assert position.outcome() is None


def test_bot_that_is_twice_as_fast_wins() -> None:
    won = 0
    for i in range(20):
        fast = i % 2
        reactions = [Steady(0.5 if seat == fast else 1.0) for seat in (0, 1)]
        outcome = race(f"fast {i}", reactions=reactions)[0].outcome()
        won += outcome is not None and outcome.winners == [fast]
    assert won >= 19


def test_level_has_the_default_reaction_model_unless_it_is_given_one() -> None:
    steady = Steady(1.0)
    assert Level("a", "b", "random", game.bot_support().heuristics(), reactions=steady).reactions is steady
    default = Level("a", "b", "random", game.bot_support().heuristics()).reactions
    position = deal(game, b"pace")
    delays = sorted([default.delay(position, 0, 0, Rng(seed)) for seed in range(400)])
    assert delays[0] > MIN_REACTION_SECONDS
    assert delays[200] == pytest.approx(0.7, rel=0.05)
    assert delays[-1] < 2.0
    assert default.mistake(position, 0, 0, Rng(1)) == 0


def test_reaction_times_have_a_minimum_a_median_and_a_long_slow_tail() -> None:
    rng = Rng(8)
    times = sorted([reaction(0.3, 0.8, 0.4, rng) for _ in range(4000)])
    assert times[0] > 0.3
    assert times[2000] == pytest.approx(0.8, rel=0.03)
    # The slow tail is longer than the fast one.
    assert times[3800] - times[2000] > 1.5 * (times[2000] - times[200])
