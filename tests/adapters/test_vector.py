"""Gymnasium's vector environments give what a SyncVectorEnv of single environments gives."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from sevenhues.adapters.gymnasium import SeatEnv, register
from sevenhues.adapters.gymnasium_vector import VectorSeatEnv
from sevenhues.bots import RandomBot
from sevenhues.core.errors import BadOption
from tests.ways_to_copy import INDEPENDENT

COUNT = 3


def check_equal(one: Any, other: Any) -> None:
    """Compare results of environments: arrays by type and content, dictionaries by key."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert set(one) == set(other)
        for key in one:
            check_equal(one[key], other[key])
    elif isinstance(one, tuple):
        for left, right in zip(one, other, strict=True):
            check_equal(left, right)
    else:
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        for left, right in zip(one, other, strict=True):
            assert np.array_equal(left, right)


def actions_for(infos: dict[str, Any], generator: np.random.Generator) -> Any:
    """Choose a random legal action for each game, or now and then an illegal one."""
    masks = infos["action_mask"]
    if generator.random() < 0.02:
        return generator.integers(masks.shape[1], size=len(masks))
    return np.array([generator.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


@pytest.mark.parametrize(
    ("mode", "reward"),
    [
        *((mode, "win") for mode in AutoresetMode),
        (AutoresetMode.NEXT_STEP, "shaped"),
        (AutoresetMode.SAME_STEP, "score"),
    ],
)
@pytest.mark.parametrize("name", register())
def test_vector_environment_equals_single_environments(name: str, mode: AutoresetMode, reward: str) -> None:
    arguments: dict[str, Any] = {"max_length": 30 if "FlipAndSlide" in name else 60, "reward": reward}
    native = gymnasium.make_vec(name, COUNT, autoreset_mode=mode, **arguments)
    single = SyncVectorEnv([lambda: gymnasium.make(name, **arguments).unwrapped] * COUNT, autoreset_mode=mode)
    assert isinstance(native, VectorSeatEnv)
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    assert native.metadata["autoreset_mode"] is mode
    generator = np.random.default_rng(5)
    got, expected = native.reset(seed=7), single.reset(seed=7)
    check_equal(got, expected)
    infos, ends = expected[1], 0
    for _ in range(150):
        actions = actions_for(infos, generator)
        stepped, wanted = native.step(actions), single.step(actions)
        *_, terminated, truncated, infos = wanted
        check_equal(stepped, wanted)
        over = terminated | truncated
        ends += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            got, expected = (env.reset(options={"reset_mask": over}) for env in (native, single))
            check_equal(got, expected)
            infos["action_mask"][over] = expected[1]["action_mask"][over]
    assert ends >= COUNT


def test_vector_environment_takes_other_seats_bots_and_options() -> None:
    arguments: dict[str, Any] = {"seats": 3, "seat": 1, "checking": "audit", "bots": ["random", RandomBot()]}
    native = VectorSeatEnv("nimble", 2, **arguments)
    single = SyncVectorEnv([lambda: SeatEnv("nimble", **arguments)] * 2)
    check_equal(native.reset(seed=[4, 9]), single.reset(seed=[4, 9]))
    check_equal(native.step(np.array([0, 0])), single.step(np.array([0, 0])))


def test_searching_bots_play_in_vector_environments() -> None:
    arguments: dict[str, Any] = {"bots": "ismcts", "budget": 4}
    native = VectorSeatEnv("rainbow", 2, **arguments)
    single = SyncVectorEnv([lambda: SeatEnv("rainbow", **arguments)] * 2)
    _, infos = native.reset(seed=3)
    check_equal((native.reset(seed=3)), single.reset(seed=3))
    for _ in range(5):
        actions = infos["action_mask"].argmax(1)
        results = native.step(actions)
        check_equal(results, single.step(actions))
        infos = results[4]


@pytest.mark.parametrize("way", INDEPENDENT)
def test_copied_vector_environment_goes_on_like_its_original(way: str) -> None:
    native = VectorSeatEnv("rainbow", COUNT)
    _, infos = native.reset(seed=2)
    other = INDEPENDENT[way](native)
    for _ in range(60):
        actions = infos["action_mask"].argmax(1)
        results = native.step(actions)
        check_equal(other.step(actions), results)
        infos = results[4]


def test_wrong_use_of_a_vector_environment_is_refused() -> None:
    env = VectorSeatEnv("rainbow", 2, autoreset_mode="Disabled")
    for use in (lambda: env.step(np.zeros(2, int)), env.render):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) first"):
            use()
    with pytest.raises(BadOption, match="num_envs must be at least 1, not 0"):
        VectorSeatEnv("rainbow", 0)
    with pytest.raises(ValueError, match="2 seeds are needed, one for each game, not 3"):
        env.reset(seed=[1, 2, 3])
    env.reset(seed=1)
    with pytest.raises(ValueError, match="2 actions are needed, one for each game"):
        env.step([0])
    with pytest.raises(ValueError, match="reset_mask must be an array of 2 booleans"):
        env.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match="reset_mask must mark at least one game"):
        env.reset(options={"reset_mask": np.zeros(2, bool)})
    env.step(np.array([11, env.reset(seed=1)[1]["action_mask"][1].argmax()]))  # ends the first turn that has not begun
    with pytest.raises(ResetNeeded, match=r"games \[0\] are over"):
        env.step(np.zeros(2, int))
