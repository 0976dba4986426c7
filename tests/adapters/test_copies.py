"""Environments can be copied and pickled in the middle of a game, and go on like their originals."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from sevenhues import load, names
from sevenhues.adapters import pettingzoo
from sevenhues.adapters.configured_game import ConfiguredGame
from sevenhues.adapters.gymnasium import SeatEnv, register
from tests.toy_games.duel import game as duel
from tests.ways_to_copy import INDEPENDENT

STEPS = 6


def steps(table: Any, generator: np.random.Generator) -> list[Any]:
    """Take random legal steps in a Gymnasium environment; return everything that was observed."""
    seen: list[Any] = []
    for _ in range(STEPS):
        action = generator.choice(np.flatnonzero(table.action_masks()))
        observation, reward, over, truncated, info = table.step(action)
        seen.append((observation.tolist(), reward, over, truncated, info["action_mask"].tolist()))
        if over or truncated:
            observation, _ = table.reset()
            seen.append(observation.tolist())
    return seen


@pytest.mark.parametrize("way", INDEPENDENT)
@pytest.mark.parametrize("name", register())
def test_copied_gymnasium_environment_goes_on_like_its_original(name: str, way: str) -> None:
    table: Any = gymnasium.make(name).unwrapped
    table.reset(seed=4)
    steps(table, np.random.default_rng(1))
    other = INDEPENDENT[way](table)
    expected = steps(table, np.random.default_rng(2))
    assert steps(other, np.random.default_rng(2)) == expected


@pytest.mark.parametrize("way", INDEPENDENT)
def test_copied_environment_keeps_searching_bots(way: str) -> None:
    table = SeatEnv("rainbow", bots="ismcts", budget="8")
    table.reset(seed=2)
    other = INDEPENDENT[way](table)
    assert steps(other, np.random.default_rng(3)) == steps(table, np.random.default_rng(3))


def turns(table: Any, generator: np.random.Generator) -> list[Any]:
    """Take random legal turns in a PettingZoo environment; return everything that was observed."""
    seen: list[Any] = []
    for _ in range(STEPS):
        observation, reward, over, truncated, _ = table.last()
        seen.append((table.agent_selection, observation["observation"].tolist(), reward, over, truncated))
        if over or truncated:
            table.reset()
        else:
            table.step(generator.choice(np.flatnonzero(observation["action_mask"])))
    return seen


@pytest.mark.parametrize("way", INDEPENDENT)
@pytest.mark.parametrize("name", names())
def test_copied_pettingzoo_environment_goes_on_like_its_original(name: str, way: str) -> None:
    table = pettingzoo.env(name)
    table.reset(seed=4)
    turns(table, np.random.default_rng(1))
    other = INDEPENDENT[way](table)
    expected = turns(table, np.random.default_rng(2))
    assert turns(other, np.random.default_rng(2)) == expected


@pytest.mark.parametrize("way", INDEPENDENT)
def test_copied_environment_of_an_outside_game_has_that_game(way: str) -> None:
    other = INDEPENDENT[way](ConfiguredGame(duel))
    assert (type(other.game), other.seats, other.action_count) == (type(duel), 2, ConfiguredGame(duel).action_count)
    assert INDEPENDENT[way](ConfiguredGame("rainbow")).game is load("rainbow")
