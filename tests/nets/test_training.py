"""A small training learns, resumes, finds a best response and refuses files it cannot resume."""

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jax")

from sevenhues.core.errors import BadOption
from sevenhues.nets.network import METADATA_KEY, Network
from sevenhues.training import run as training_module
from sevenhues.training.ppo import Settings
from sevenhues.training.run import TrainingRun, progress_line
from tests.toy_games.take import PILE, Take

TINY = Settings(games=64, rollout_length=8, minibatches=2, width=16, layers=2, learning_rate=3e-3, ema_decay=0.9)
GAME: Any = Take()


@pytest.fixture(autouse=True)
def constant_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count every step of a training as a tenth of a second, so that the machine's speed does not matter."""
    readings = itertools.count()
    monkeypatch.setattr(training_module, "perf_counter", lambda: next(readings) * 0.1)


def trained(out: Path, seconds: float, settings: Settings = TINY, **arguments: Any) -> TrainingRun:
    training = TrainingRun(GAME, seconds / 60, out, None, settings, evaluation_games=256, **arguments)
    training.run(1e9, lambda progress: None)
    return training


@pytest.mark.slow
def test_training_learns_saves_and_resumes(tmp_path: Path) -> None:
    out = tmp_path / "take.npz"
    training = trained(out, 3)
    first = Network.read(out)
    assert [one["moves"] for one in training.curve] == [0, training.moves]
    # Leaving a multiple of three wins; from ten the first player can do so.
    piles = np.eye(PILE + 1, dtype=np.float32)
    logits, values = first(piles)
    for left in range(2, PILE + 1):
        if left % 3:
            assert logits[left].argmax() == left % 3 - 1, left
            assert values[left] > 0.5, left
        else:
            assert values[left] < -0.5, left
    assert training.curve[-1]["vs_random"] > 0.8
    assert "wins against random" in progress_line(training.curve[-1])
    assert (first.metadata["game"], first.metadata["seats"], first.metadata["settings"]["width"]) == ("take", 2, 16)

    again = trained(out, 3.3)
    assert (again.moves > training.moves, again.spent_seconds >= 3.3, len(again.curve)) == (True, True, 4)
    assert again.curve[:2] == training.curve
    assert not np.array_equal(Network.read(out).weights["w0"], first.weights["w0"])

    with pytest.raises(BadOption, match="holds a network of another size"):
        trained(out, 9, replace(TINY, width=32))
    first.write(tmp_path / "alone.npz")
    with pytest.raises(BadOption, match="holds a finished network"):
        trained(tmp_path / "alone.npz", 9)


@pytest.mark.long
def test_best_response_beats_a_weak_network(tmp_path: Path) -> None:
    rival = tmp_path / "rival.npz"
    trained(rival, 0.001)  # has learnt next to nothing
    training = trained(tmp_path / "response.npz", 3, against=rival)
    assert training.curve[-1]["vs_frozen"] > 0.9
    with np.load(tmp_path / "response.npz") as kept:
        assert json.loads(bytes(kept[METADATA_KEY]))["against"] == "rival.npz"
