"""Training, as small as it gets: that it learns, goes on, responds and refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sevenhues import load
from sevenhues.core.errors import BadOption
from sevenhues.nets.net import CARD, Net
from tests.nets.small import untrained

pytest.importorskip("jax")

from sevenhues.batch.ppo import Settings
from sevenhues.batch.training import Training, line

TINY = Settings(games=32, plies=8, parts=2, width=16, layers=2)


def trained(out: Path, seconds: float, **given: Any) -> tuple[Training, list[dict[str, float]]]:
    told: list[dict[str, float]] = []
    training = Training(load("rainbow"), seconds / 60, out, None, given.pop("settings", TINY), yard=16, **given)
    training.run(1e9, told.append)
    return training, told


def test_it_changes_the_network_tells_how_it_goes_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "rainbow.npz"
    training, told = trained(out, 0.3)
    first = Net.read(out)
    assert [one["moves"] for one in told] == [0, training.moves]
    assert training.moves >= 32 * 8
    assert 0 <= told[-1]["vs_random"] <= 1
    assert "wins against" in line(told[-1])
    assert first.card["game"] == "rainbow"
    assert first.card["settings"]["width"] == 16

    again, _ = trained(out, 0.6)
    assert again.moves > training.moves
    assert again.spent >= 0.6
    assert len(again.curve) == 4
    assert not np.array_equal(Net.read(out).weights["w0"], first.weights["w0"])

    with pytest.raises(BadOption, match="holds a network of another size"):
        trained(out, 1, settings=replace(TINY, width=32))
    first.write(tmp_path / "alone.npz")
    with pytest.raises(BadOption, match="holds a network that is done"):
        trained(tmp_path / "alone.npz", 1)


def test_against_a_frozen_network_it_is_measured_against_that(tmp_path: Path) -> None:
    rival = untrained(load("rainbow"), tmp_path / "rival.npz")
    training, told = trained(tmp_path / "response.npz", 0.2, against=rival)
    assert 0 <= told[-1]["vs_frozen"] <= 1
    assert training.card()["against"] == "rival.npz"
    with np.load(tmp_path / "response.npz") as kept:
        assert json.loads(bytes(kept[CARD]))["against"] == "rival.npz"


@pytest.mark.slow
def test_it_learns_to_beat_random_play(tmp_path: Path) -> None:
    settings = replace(TINY, games=128, plies=16, parts=4, width=64, rate=2e-3, average=0.9)
    told = trained(tmp_path / "rainbow.npz", 12, settings=settings)[1]
    assert told[-1]["error"] < 0.9
    shares = [one["vs_random"] for one in told]
    assert shares[-1] > max(0.6, shares[0] + 0.2)
