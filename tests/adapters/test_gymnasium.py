"""Gymnasium environments pass its checker and agree with records of the core."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from sevenhues import Bot, Position, Rng, load, names
from sevenhues.adapters.gymnasium import SeatEnv, register
from sevenhues.adapters.pettingzoo import env, parallel_env
from sevenhues.bots import FlatMonteCarloBot, IsmctsBot, RandomBot
from sevenhues.core.errors import BadOption
from sevenhues.core.record import replay, write
from sevenhues.server.table.imports import read_record
from tests.adapters.random_records import random_record, replayed_moves


def test_every_game_is_registered_and_solo_games_twice() -> None:
    assert register() == [
        "sevenhues/FlipAndSlide-v0",
        "sevenhues/FlipAndSlideSolo-v0",
        "sevenhues/Nimble-v0",
        "sevenhues/Rainbow-v0",
        "sevenhues/RainbowRoad-v0",
    ]
    made: Any = gymnasium.make("sevenhues.adapters.gymnasium:sevenhues/FlipAndSlideSolo-v0").unwrapped
    assert (made.configured.seats, made.bots) == (1, {})


class Prompted(Bot):
    """Plays the given moves."""

    def __init__(self, moves: list[int]) -> None:
        self.moves = moves
        self.observed: list[tuple[int, int]] = []

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        return self.moves.pop(0)

    def observe_move(self, seat: int, move: int) -> None:
        self.observed.append((seat, move))


@pytest.mark.parametrize("name", [name for name in names() if not load(name).simultaneous])
@pytest.mark.parametrize("seat", [0, 1])
def test_environment_of_a_seat_follows_the_record(name: str, seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(name)
    written = random_record(game, "seat", 2)
    moves = [(who, move) for _, who, move in replayed_moves(written) if who >= 0]
    bot = Prompted([move for who, move in moves if who != seat])
    table = SeatEnv(name, 2, seat, bot)
    monkeypatch.setattr(table.configured, "deal", lambda rng: written.start())
    seen, info = table.reset(seed=1)
    over, reward = False, 0.0
    for position, who, move in replayed_moves(written):
        if who == seat:
            assert not over
            assert seen.tolist() == game.observation_encoder().encode(position, seat)
            assert np.flatnonzero(info["action_mask"]).tolist() == position.legal(seat)
            seen, reward, over, _, info = table.step(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (over, reward > 0, info["reason"]) == (True, seat in outcome.winners, outcome.reason)
    assert bot.observed == moves


def test_solo_environment_follows_the_record() -> None:
    game = load("flip-and-slide")
    written = random_record(game, "alone", 1)
    table = SeatEnv("flip-and-slide", seats=1)
    table.configured.deal = lambda rng: written.start()  # type: ignore[method-assign]
    seen, _ = table.reset(seed=1)
    for position, who, move in replayed_moves(written):
        assert seen.tolist() == game.observation_encoder().encode(position, 0)
        if who == 0:
            seen, reward, over, _, info = table.step(move)
    outcome = position.outcome()
    assert outcome is not None
    assert (over, reward, info["reason"]) == (True, 1.0 if outcome.winners else -1.0, outcome.reason)


def test_bots_move_in_the_same_step_as_the_seat() -> None:
    table = SeatEnv("nimble", 3, 1, [Prompted([0, 0]), Prompted([0, 4])])
    table.reset(seed=1)
    table.step(table.configured.wait)
    assert [table.position.legal(seat) != [0] for seat in range(3)] == [True, False, True]
    _, reward, over, truncated, info = table.step(0)
    assert (info["made"], reward, over, truncated) == (True, 0.0, False, False)


def test_illegal_action_loses_the_episode() -> None:
    table = SeatEnv("rainbow")
    table.reset(seed=1)
    _, reward, over, truncated, info = table.step(11)
    assert (reward, over, truncated, info["reason"], info["made"]) == (-1.0, True, False, "illegal", False)


def test_bots_are_chosen_by_name_or_passed_as_objects() -> None:
    assert isinstance(SeatEnv("rainbow", bots="random").bots[1], RandomBot)
    assert set(SeatEnv("nimble", seats=4, seat=2).bots) == {0, 1, 3}
    assert isinstance(SeatEnv("rainbow", bots="expert", budget="20").bots[1], FlatMonteCarloBot)
    with pytest.raises(BadOption, match=r"Rainbow has no bot 'clever'; its bots: random, .*master"):
        SeatEnv("rainbow", bots="clever")
    with pytest.raises(BadOption, match="2 bots are needed, one for each other seat, not 1"):
        SeatEnv("nimble", seats=3, bots=[RandomBot()])
    with pytest.raises(BadOption, match="there is no seat 2: the seats are 0 to 1"):
        SeatEnv("rainbow", seat=2)


class Forgetful(Prompted):
    """Notes when a game begins, and plays the lowest move."""

    def __init__(self) -> None:
        super().__init__([])
        self.games: list[int] = []

    def begin_game(self, seat: int) -> None:
        self.games.append(seat)
        self.observed = []

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        return position.legal(seat)[0]


def test_bots_are_notified_of_a_new_game() -> None:
    bot = Forgetful()
    table = SeatEnv("rainbow", seat=0, bots=bot)
    table.reset(seed=1)
    table.step(int(table.action_masks().argmax()))
    assert (bot.games, len(bot.observed) > 0) == ([1], True)
    table.reset()
    assert bot.games == [1, 1]
    assert [seat for seat, _ in bot.observed] == [1] * len(bot.observed)  # at most its own moves, before the first step


class Unasked(Bot):
    """Plays at random without being asked."""

    plays_at_random = True

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        raise AssertionError("a bot that plays at random was shown a position")


def test_bot_that_plays_at_random_is_shown_no_position() -> None:
    table, over = SeatEnv("rainbow", bots=Unasked()), False
    table.reset(seed=3)
    while not over:
        _, reward, over, _, info = table.step(int(table.action_masks().argmax()))
    assert (info["reason"], abs(reward)) == ("deck", 1)


@pytest.mark.parametrize("max_length", [0, -3, "x", 2.5])
def test_length_that_is_no_positive_integer_is_refused(max_length: Any) -> None:
    for make in (lambda: SeatEnv("rainbow", max_length=max_length), lambda: env("nimble", max_length=max_length)):
        with pytest.raises(BadOption, match="max_length must be"):
            make()


@pytest.mark.parametrize("budget", ["long", 0, 1.5, None, object()])
def test_budget_that_is_none_is_refused(budget: Any) -> None:
    with pytest.raises(BadOption, match="a budget is"):
        SeatEnv("rainbow", bots="ismcts", budget=budget)


def test_number_as_budget_counts_simulations() -> None:
    table = SeatEnv("rainbow", bots="ismcts", budget=np.int64(9))
    bot = table.bots[1]
    assert isinstance(bot, IsmctsBot)
    assert bot.budget.simulations == 9


def test_use_before_reset_is_refused() -> None:
    seat_table, turns, joint = SeatEnv("rainbow"), env("rainbow"), parallel_env("nimble")
    for use in (
        lambda: seat_table.step(0),
        seat_table.action_masks,
        seat_table.render,
        turns.last,
        lambda: turns.step(0),
        turns.render,
        lambda: joint.step({}),
    ):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            use()
    copy.deepcopy(seat_table).reset(seed=1)


@pytest.mark.parametrize("name", register())
def test_info_has_the_same_keys_and_types_in_every_step(name: str) -> None:
    table: Any = gymnasium.make(name, max_length=3).unwrapped
    _, info = table.reset(seed=1)
    shapes = {str({key: type(value) for key, value in info.items()})}
    over = False
    while not over:
        _, _, terminated, truncated, info = table.step(int(info["action_mask"].argmax()))
        shapes.add(str({key: type(value) for key, value in info.items()}))
        over = terminated or truncated
    assert len(shapes) == 1
    assert (info["reason"], info["place"]) == ("truncated", 0)


@pytest.mark.parametrize("name", register())
def test_record_of_an_environment_can_be_opened_on_a_server(name: str) -> None:
    table: Any = gymnasium.make(name, max_length=3).unwrapped
    _, info = table.reset(seed=1)
    assert table.record().result is None
    over = False
    while not over:
        _, _, terminated, truncated, info = table.step(int(info["action_mask"].argmax()))
        over = terminated or truncated
    opened = read_record(write(table.record()).encode())
    *_, last = replay(opened)
    assert (last.key(), opened.result["reason"] if opened.result else "") == (table.position.key(), "abandoned")
