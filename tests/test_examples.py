"""The examples beat random moves."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from examples import ismcts, ppo_pgx, ppo_vector, self_play

ROOT = Path(__file__).parents[1]
RECIPES_PYTHON = ROOT / ".venv-recipes" / "bin" / "python"  # of the recipes that need PyTorch


def needs_pytorch(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a long test of a recipe that needs PyTorch."""
    missing = pytest.mark.skipif(not RECIPES_PYTHON.exists(), reason="`make test-long` sets up .venv-recipes")
    marked: Callable[..., None] = pytest.mark.long(missing(test))
    return marked


@pytest.mark.slow
def test_openspiel_ismcts_beats_random_moves() -> None:
    assert ismcts.win_share("rainbow_road", games=8, simulations=15, seed=1) >= 0.75


@pytest.mark.slow
def test_self_play_learns_to_beat_random_moves() -> None:
    untrained = self_play.win_share(*self_play.train(0, seed=1), games=100)
    trained = self_play.win_share(*self_play.train(200, seed=1), games=100)
    assert untrained < 0.7 < 0.75 < trained


@pytest.mark.slow
def test_ppo_over_a_vector_environment_learns_to_beat_random_moves() -> None:
    learner = ppo_vector.Learner(seed=1)
    untrained = ppo_vector.win_share(learner, games=200, seed=2)
    ppo_vector.train(learner, steps=32_000, seed=1)
    trained = ppo_vector.win_share(learner, games=200, seed=2)
    assert untrained < 0.65 < 0.75 < trained


@pytest.mark.slow
def test_ppo_in_pgx_learns_to_beat_random_moves() -> None:
    shares = ppo_pgx.learn(steps=131_072, games=200, seed=1)
    assert shares[0] < 0.6 < shares[-1]


def run_recipe(name: str, *arguments: str) -> str:
    """Run a recipe that needs PyTorch; return what it prints."""
    command = [str(RECIPES_PYTHON), str(ROOT / "examples" / name), *arguments]
    environment = os.environ | {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


@needs_pytorch
def test_maskable_ppo_learns_to_beat_random_moves() -> None:
    printed = run_recipe("maskable_ppo.py", "--steps", "40000", "--games", "200")
    rewards = [float(number) for number in re.findall(r"mean reward ([+-][0-9.]+)", printed)]
    assert rewards[0] < 0.45 < 0.65 < rewards[-1]
    wins = re.search(r"in 200 games: ([0-9]+) wins", printed)
    assert wins
    assert int(wins[1]) > 150


@needs_pytorch
@pytest.mark.parametrize(
    ("recipe", "length", "least"),
    [
        ("openspiel_nfsp.py", ("--episodes", "500"), 60),
        ("rllib_self_play.py", ("--steps", "8192"), 60),
        ("tianshou_dqn.py", ("--steps", "24000"), 60),
        ("torchrl_ppo.py", ("--steps", "32768"), 75),
    ],
)
def test_recipe_learns_to_beat_random_moves(recipe: str, length: tuple[str, str], least: int) -> None:
    printed = run_recipe(recipe, *length, "--games", "100")
    result = re.search(
        r"Share of 100 games won against random moves: ([0-9]+)% before the training, ([0-9]+)%", printed
    )
    assert result
    before, after = int(result[1]), int(result[2])
    assert before < 60 <= least < after


@needs_pytorch
def test_maskable_ppo_beats_random_moves_in_flip_and_slide() -> None:
    printed = run_recipe("flip_and_slide_ppo.py", "--steps", "200000", "--games", "100")
    result = re.search(r"in 100 games: ([0-9]+) wins .* ([0-9]+) losses", printed)
    assert result
    wins, losses = int(result[1]), int(result[2])
    assert wins > 30
    assert wins > 2 * losses
