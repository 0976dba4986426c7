"""The examples beat random moves."""

import re
import subprocess
from pathlib import Path

import pytest

from examples import ismcts, ppo_pgx, ppo_vector, self_play

ROOT = Path(__file__).parents[1]
RECIPES_PYTHON = ROOT / ".venv-recipes" / "bin" / "python"  # of the recipes that need PyTorch


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


@pytest.mark.long
@pytest.mark.skipif(not RECIPES_PYTHON.exists(), reason="`make test-long` sets up .venv-recipes")
def test_maskable_ppo_learns_to_beat_random_moves() -> None:
    command = [str(RECIPES_PYTHON), str(ROOT / "examples" / "maskable_ppo.py"), "--steps", "40000", "--games", "200"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rewards = [float(number) for number in re.findall(r"mean reward ([+-][0-9.]+)", printed)]
    assert rewards[0] < 0.45 < 0.65 < rewards[-1]
    wins = re.search(r"in 200 games: ([0-9]+) wins", printed)
    assert wins
    assert int(wins[1]) > 150
