"""Tianshou finds the masks of PettingZoo's observations."""

import subprocess
from pathlib import Path

import pytest

from tests.test_examples import RECIPES_PYTHON, needs_pytorch

SCRIPT = Path(__file__).with_name("tianshou_masks.py")


@needs_pytorch
@pytest.mark.parametrize("name", ["rainbow", "flip-and-slide", "nimble"])
def test_policies_of_tianshou_play_legal_actions(name: str) -> None:
    done = subprocess.run([RECIPES_PYTHON, SCRIPT, name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"{name} 3" in done.stdout.splitlines()
