"""Rewards for winning, by the score, and shaped by a potential."""

from typing import Any

import gymnasium
import pyspiel
import pytest

from sevenhues import Rng, deal, load, names
from sevenhues.adapters import gymnasium as gymnasium_adapter
from sevenhues.adapters.gymnasium import SeatEnv
from sevenhues.adapters.openspiel import SevenHuesGame, register
from sevenhues.adapters.pettingzoo import env, parallel_env
from sevenhues.core.errors import BadOption
from sevenhues.core.game import resolve_options
from sevenhues.core.play import playouts
from sevenhues.core.position import Outcome, Position
from tests.toy_games.poker import Leduc

SIMULTANEOUS = [name for name in names() if load(name).simultaneous]
BY_TURNS = [name for name in names() if name not in SIMULTANEOUS]
LIMIT = 3000  # steps that a game of Nimble needs at most with this seed


def play_seat(name: str, **arguments: Any) -> tuple[list[float], SeatEnv]:
    """Play a game of random moves through Gymnasium; return the rewards and the environment."""
    table: Any = gymnasium.make(name, max_length=LIMIT, **arguments).unwrapped
    _, info = table.reset(seed=5)
    table.action_space.seed(5)
    rewards, over = [], False
    while not over:
        _, reward, terminated, truncated, info = table.step(table.action_space.sample(info["action_mask"]))
        rewards.append(reward)
        over = terminated or truncated
    return rewards, table


def first_potential(name: str, seat: int) -> float:
    """Return the potential of a seat after the first reset."""
    table: Any = gymnasium.make(name, reward="shaped").unwrapped
    table.reset(seed=5)
    potential: float = table.configured.game.bot_support().potential(table.position, seat)
    return potential


@pytest.mark.parametrize("name", gymnasium_adapter.register())
def test_shaping_of_gymnasium_sums_to_the_negative_potential_of_the_start(name: str) -> None:
    shaped, table = play_seat(name, reward="shaped")
    plain, _ = play_seat(name, reward="win")
    assert table.playing.terminated
    assert len([reward for reward in shaped if reward != 0.0]) > 3, "most moves change the potential"
    assert sum(shaped) == pytest.approx(sum(plain) - first_potential(name, 0))


@pytest.mark.parametrize("name", BY_TURNS)
def test_shaping_of_pettingzoo_sums_to_the_negative_potential_of_the_start(name: str) -> None:
    sums = {}
    for reward in ("shaped", "win"):
        table = env(name, reward=reward)
        table.reset(seed=5)
        support, dealt = load(name).bot_support(), table.unwrapped.position.copy()
        for agent in table.possible_agents:
            table.action_space(agent).seed(5)
        sums[reward] = dict.fromkeys(table.possible_agents, 0.0)
        for agent in table.agent_iter():
            observation, received, termination, truncation, _ = table.last()
            sums[reward][agent] += received
            over = termination or truncation
            table.step(None if over else table.action_space(agent).sample(observation["action_mask"]))
    for seat, agent in enumerate(table.possible_agents):
        assert sums["shaped"][agent] == pytest.approx(sums["win"][agent] - support.potential(dealt, seat))


def play_jointly(reward: str) -> tuple[dict[str, float], list[Position]]:
    """Play a game in which all act at once; return each agent's rewards and the first and last position."""
    table = parallel_env("nimble", reward=reward, max_length=LIMIT)
    observations, _ = table.reset(seed=5)
    first, sums = table.position.copy(), dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.possible_agents:
        table.action_space(agent).seed(5)
    while table.agents:
        actions = {
            agent: table.action_space(agent).sample(observations[agent]["action_mask"]) for agent in table.agents
        }
        observations, rewards, *_ = table.step(actions)
        sums = {agent: sums[agent] + rewards[agent] for agent in sums}
    return sums, [first, table.position]


def test_rewards_of_joint_steps_are_shaped_and_scored() -> None:
    (shaped, (first, last)), (plain, _), (scored, _) = (play_jointly(reward) for reward in ("shaped", "win", "score"))
    support, outcome = load("nimble").bot_support(), last.outcome()
    assert outcome is not None
    payoffs = load("nimble").payoffs(last, outcome)
    for seat, agent in enumerate(plain):
        assert shaped[agent] == pytest.approx(plain[agent] - support.potential(first, seat))
        assert scored[agent] == payoffs[seat] != plain[agent]


def test_score_of_rainbow_is_the_difference_of_the_piles() -> None:
    rewards, table = play_seat("sevenhues/Rainbow-v0", reward="score")
    mine, theirs = table.position.scores()
    assert mine != theirs
    assert rewards == [*[0.0] * (len(rewards) - 1), float(mine - theirs)]


def test_illegal_action_costs_the_lowest_payoff() -> None:
    for reward, lowest in (("win", -1.0), ("score", -57.0)):
        table: Any = gymnasium.make("sevenhues/Rainbow-v0", reward=reward).unwrapped
        _, info = table.reset(seed=1)
        _, received, terminated, _, _ = table.step(int(info["action_mask"].argmin()))
        assert (received, terminated) == (lowest, True)


def test_openspiel_pays_chips_within_the_bounds() -> None:
    class LeducGame(SevenHuesGame):
        plays = Leduc()

    game = LeducGame({"reward": "score"})
    assert (game.min_utility(), game.max_utility()) == (-13.0, 13.0)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert sorted(state.returns()) != [-1.0, 1.0]
    assert sum(state.returns()) == 0.0
    with pytest.raises(BadOption, match="reward must be 'win' or 'score', not 'shaped'"):
        LeducGame({"reward": "shaped"})


def test_utility_of_openspiel_is_winning_by_default() -> None:
    register()
    game = pyspiel.load_game("sevenhues_rainbow")
    assert (game.min_utility(), game.max_utility()) == (-1.0, 1.0)
    assert pyspiel.load_game("sevenhues_rainbow(reward=score)").max_utility() == 57.0


@pytest.mark.parametrize("make", [env, lambda name, **options: gymnasium.make("sevenhues/Rainbow-v0", **options)])
@pytest.mark.parametrize("reward", ["points", 1, None])
def test_unknown_reward_is_refused(make: Any, reward: Any) -> None:
    with pytest.raises(BadOption, match="reward must be 'win' or 'score' or 'shaped', not"):
        make("rainbow", reward=reward)


def test_default_payoffs_are_those_of_the_outcome() -> None:
    game = load("flip-and-slide")
    assert game.payoffs(deal(game, b"payoffs"), Outcome("rainbow", [1], [2, 1])) == [-1.0, 1.0]


def test_random_moves_win_hardly_any_game_of_flip_and_slide() -> None:
    """What its shaped rewards are for: those for wins alone are 0 in nearly all of these games."""
    game = load("flip-and-slide")
    scores = playouts(game, 300, 2, resolve_options(game, {}), Rng(1)).scores
    assert sum(scores) <= 3
