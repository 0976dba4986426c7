"""The examples beat random moves."""

import pytest

from examples import ismcts, ppo_pgx, ppo_vector, self_play


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
    assert shares[0] < 0.6 < 0.65 < shares[-1]
