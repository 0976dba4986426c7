"""Training on eight devices: a CPU that JAX divides into eight, in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jax")

from sevenhues.core.errors import BadOption
from sevenhues.training.devices import Devices
from tests.cli.command import error_message, sevenhues

EIGHT = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=8"


def on_eight_devices(*args: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.nets.eight_devices", *args],
        capture_output=True,
        text=True,
        env=os.environ | {"XLA_FLAGS": EIGHT, "JAX_PLATFORMS": "cpu"},
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def check(report: dict[str, Any]) -> None:
    assert report["devices"] == [1, 8]
    # Gradients are summed over the devices; no game moves from one device to another.
    assert report["collectives"] == [[], ["all-reduce"]]
    assert report["equal_deals"]
    assert report["repeats"]
    # Sums over devices are rounded differently. In so few iterations no move depends on it.
    assert report["equal_states"]
    assert report["difference_of_weights"] < 1e-5
    assert report["largest_change_of_weights"] > 1e-3
    assert report["share_of_eight"] > 0.5


@pytest.mark.slow
def test_training_on_eight_devices_equals_training_on_one_up_to_rounding() -> None:
    check(on_eight_devices())


@pytest.mark.long
@pytest.mark.parametrize("game", ["rainbow", "rainbow-road"])
def test_games_train_on_eight_devices_as_on_one(game: str) -> None:
    check(on_eight_devices(game))


@pytest.mark.slow
def test_train_command_divides_games_among_the_devices_that_jax_sees(tmp_path: Path) -> None:
    args = ("train", "rainbow", "--out", str(tmp_path / "net.npz"), "--games", "60")
    message = error_message(sevenhues(*args, XLA_FLAGS=EIGHT, JAX_PLATFORMS="cpu"), 2)
    divided = "60 games in 4 minibatches cannot be divided equally among 8 device(s)"
    assert message == f"{divided}: the number of games must be a multiple of 32"


def test_more_devices_than_jax_sees_are_refused() -> None:
    with pytest.raises(BadOption, match=r"JAX sees \d+ device\(s\) \(\w+\), not 99"):
        Devices(99)


def test_devices_have_equally_many_games() -> None:
    devices = Devices(1)
    devices.check_division(64, 4)
    with pytest.raises(BadOption, match="63 games in 4 minibatches cannot be divided equally among 1 device"):
        devices.check_division(63, 4)
    devices.count = 8
    assert [devices.round_up(games) for games in (1, 96, 100)] == [8, 96, 104]
