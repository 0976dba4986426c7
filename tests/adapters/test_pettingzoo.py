"""PettingZoo environments pass its tests and agree with records of the core."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

from sevenhues import Rng, load, names
from sevenhues.adapters.pettingzoo import JointStepEnv, TurnEnv, env, parallel_env
from sevenhues.core.errors import BadOption
from sevenhues.core.game import resolve_options
from sevenhues.core.position import Outcome, win_payoffs
from sevenhues.core.record import replay, write
from sevenhues.server.table.imports import read_record
from tests.adapters.random_records import TABLES, random_record, replayed_moves
from tests.adapters.suites import EXPECTED_WARNINGS
from tests.toy_games.duel import Duel

AT_ONCE = [(name, seats) for name, seats in TABLES if load(name).simultaneous]
BY_TURNS = [(name, seats) for name, seats in TABLES if not load(name).simultaneous]
dictionaries = pytest.mark.filterwarnings(*[f"ignore:{text}" for text in EXPECTED_WARNINGS])


@dictionaries
def test_pettingzoo_test_accepts_a_game_outside_the_package() -> None:
    api_test(env(Duel()), num_cycles=20)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), BY_TURNS)
def test_environment_follows_the_record(name: str, seats: int) -> None:
    game = load(name)
    table = env(name, seats)
    table.reset(seed=3)
    for position, seat, move in replayed_moves(random_record(game, "3/0", seats)):
        for other, agent in enumerate(table.agents):
            seen = table.observe(agent)
            assert seen["observation"].tolist() == game.observation_encoder().encode(position, other)
            assert np.flatnonzero(seen["action_mask"]).tolist() == position.legal(other)
        if seat < 0:
            break
        assert (table.agent_selection, table.last()[1:4]) == (f"player_{seat}", (0.0, False, False))
        table.step(move)
    outcome = position.outcome()
    assert outcome is not None
    winners = [seat for seat in range(seats) if table.rewards[f"player_{seat}"] > 0]
    assert (winners, all(table.terminations.values()), any(table.truncations.values())) == (
        outcome.winners,
        True,
        False,
    )
    ends = [table.infos[f"player_{seat}"] for seat in range(seats)]
    assert [(end["reason"], end["place"]) for end in ends] == [(outcome.reason, place) for place in outcome.places]


@pytest.mark.parametrize(("name", "seats"), AT_ONCE)
def test_parallel_environment_follows_the_record(name: str, seats: int) -> None:
    """In each step one seat moves and all others wait."""
    game = load(name)
    table = parallel_env(name, seats, max_length=10_000)
    seen, infos = table.reset(seed=3)
    wait = game.move_count(seats, resolve_options(game, {}))
    for position, seat, move in replayed_moves(random_record(game, "3/0", seats)):
        for other, agent in enumerate(table.possible_agents):
            assert seen[agent]["observation"].tolist() == game.observation_encoder().encode(position, other)
            allowed = position.legal(other)
            assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == allowed + ([wait] if allowed else [])
        if seat < 0:
            break
        actions = {agent: move if other == seat else wait for other, agent in enumerate(table.agents)}
        seen, rewards, terminations, truncations, infos = table.step(actions)
        assert [info["made"] for info in infos.values()] == [other == seat for other in range(seats)]
    outcome = position.outcome()
    assert outcome is not None
    assert [seat for seat in range(seats) if rewards[f"player_{seat}"] > 0] == outcome.winners
    assert (all(terminations.values()), any(truncations.values()), table.agents) == (True, False, [])


PLACEMENTS = (1, 2, 3)  # Nimble's p1, p2 and p3


def both_place_on_one_stack(table: JointStepEnv) -> dict[str, int] | None:
    """Return a placement on one stack that is legal for both seats; None if there is none."""
    both = [move for move in PLACEMENTS if all(move in table.position.legal(seat) for seat in range(2))]
    return dict.fromkeys(table.agents, both[0]) if both else None


def races(seed: int, checking: str) -> list[list[bool]]:
    """Play at random, with a race whenever possible; return for each race whether each seat's move was made."""
    table, rng, made = parallel_env("nimble", 2, checking=checking), Rng(seed), []
    table.reset(seed=seed)
    while table.agents:
        race = both_place_on_one_stack(table)
        actions = race or {agent: int(rng.below(7)) for agent in table.agents}
        infos = table.step(actions)[4]
        if race:
            made.append([infos[agent]["made"] for agent in table.possible_agents])
    return made


@pytest.mark.parametrize("checking", ["referee", "audit"])
def test_seed_decides_which_of_two_seats_wins_a_race(checking: str) -> None:
    """NB-11 A placement is not made after another card came on top, in an audited game too."""
    all_races = [race for seed in range(8) for race in races(seed, checking)]
    assert {tuple(race) for race in all_races} == {(True, False), (False, True)}
    assert races(1, checking) == races(1, checking)


def test_illegal_action_is_refused() -> None:
    table = env("rainbow")
    table.reset(seed=1)
    with pytest.raises(ValueError, match=r"player_[01] may not play 11; its action_mask allows 5 6 7 8 9 10"):
        table.step(11)


def test_game_over_max_length_is_truncated() -> None:
    table = parallel_env("nimble", max_length=5)
    table.reset(seed=1)
    for _ in range(5):
        _, rewards, terminations, truncations, infos = table.step(dict.fromkeys(table.agents, 6))
    assert (list(rewards.values()), any(terminations.values()), all(truncations.values())) == ([0.0, 0.0], False, True)
    assert {info["reason"] for info in infos.values()} == {"truncated"}
    by_turns = env("rainbow", max_length=1)
    by_turns.reset(seed=1)
    by_turns.step(5)
    assert all(by_turns.truncations.values())


def test_deals_follow_from_the_seed() -> None:
    def deals(seed: int | None) -> list[list[Any]]:
        table = env("rainbow")
        observations = []
        for reset_seed in (seed, None, None):
            table.reset(seed=reset_seed)
            observations.append(table.observe("player_0")["observation"].tolist())
        return observations

    assert deals(5) == deals(5) != deals(6)
    assert len({str(deal) for deal in deals(5)}) == 3
    assert deals(None) != deals(None)


def test_render_draws_the_view_of_the_seat_to_act() -> None:
    table = env("rainbow", render_mode="ansi")
    table.reset(seed=1)
    assert isinstance(table, TurnEnv)
    game, seat = table.configured.game, table.position.to_act()[0]
    assert table.render() == game.renderer().draw(game.view(table.position, seat), False)


def test_game_by_turns_is_refused_as_parallel_environment() -> None:
    with pytest.raises(BadOption, match="Rainbow is played by turns: use env, not parallel_env"):
        parallel_env("rainbow")


@pytest.mark.parametrize(
    ("seats", "winners", "rewards"),
    [
        (2, [1], [-1, 1]),
        (2, [], [0, 0]),
        (2, [0, 1], [0, 0]),
        (3, [2], [-0.5, -0.5, 1]),
        (4, [0, 3], [0.5, -0.5, -0.5, 0.5]),
        (1, [0], [1]),
        (1, [], [-1]),
    ],
)
def test_win_payoffs_sum_to_zero_except_in_solo_games(seats: int, winners: list[int], rewards: list[float]) -> None:
    assert win_payoffs(Outcome("x", winners, [1] * seats)) == rewards


def test_state_is_what_all_seats_know_together() -> None:
    table = env("nimble", 3)
    table.reset(seed=2)
    seen = [table.observe(agent)["observation"].tolist() for agent in table.agents]
    assert table.state().tolist() == [number for observation in seen for number in observation]


@pytest.mark.parametrize("name", names())
def test_infos_have_the_same_keys_at_all_times(name: str) -> None:
    table = env(name, max_length=20)
    table.reset(seed=1)
    keys = {tuple(info) for info in table.infos.values()}
    for _ in table.agent_iter():
        observation, _, terminated, truncated, info = table.last()
        keys.add(tuple(info))
        over = terminated or truncated
        table.step(None if over else observation["action_mask"].argmax())
    assert len(keys) == 1


@pytest.mark.parametrize(("name", "max_length", "reason"), [("rainbow", None, "deck"), ("nimble", 30, "abandoned")])
def test_record_of_an_environment_can_be_opened_on_a_server(name: str, max_length: int | None, reason: str) -> None:
    table = env(name, max_length=max_length)
    table.reset(seed=6)
    for _ in table.agent_iter():
        observation, _, terminated, truncated, _ = table.last()
        over = terminated or truncated
        table.step(None if over else observation["action_mask"].argmax())
    played: Any = table.unwrapped
    opened = read_record(write(played.record()).encode())
    assert opened.result is not None
    assert (opened.result["reason"], len(opened.moves)) == (reason, len(played.moves))
    *_, last = replay(opened)
    assert last.key() == played.position.key()


@pytest.mark.parametrize("name", names())
def test_arrays_that_an_environment_gave_may_be_changed(name: str) -> None:
    simultaneous = load(name).simultaneous
    table: Any = parallel_env(name) if simultaneous else env(name)
    seen = table.reset(seed=1)[0]["player_0"] if simultaneous else (table.reset(seed=1), table.observe("player_0"))[1]
    expected = {part: array.copy() for part, array in seen.items()}
    for array in seen.values():
        array[:] = 1 - array
    again = table._observations()["player_0"] if simultaneous else table.observe("player_0")
    for part, array in again.items():
        assert array.tolist() == expected[part].tolist()
    illegal = int(np.flatnonzero(expected["action_mask"] == 0)[0])
    if not simultaneous:
        with pytest.raises(ValueError, match="its action_mask allows"):
            table.step(illegal)
