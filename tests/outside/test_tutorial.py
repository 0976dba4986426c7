"""Following docs/adding-a-game.md adds a game that keeps the laws and is played on a server."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.outside.tutorial import PAGE, SERVE, Follower, steps, write
from tests.server.process import ServerProcess


@pytest.mark.slow
def test_tutorial_adds_a_game_that_is_played_on_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = write(tmp_path)
    assert {"garland/garland/game.py", "garland/garland/RULES.md", "garland/pyproject.toml", "party.py"} <= set(written)
    assert_well_written(tmp_path)
    reader = Follower(tmp_path)
    monkeypatch.setenv("PYTHONPATH", reader.path)
    server = ServerProcess(tmp_path / "data")
    followed = []
    try:
        for command, printed in steps():
            followed.append(command.split()[0])
            if command.startswith(SERVE):
                server.start()
                continue
            output = reader.run(re.sub(r"http://127\.0\.0\.1:\d+", server.url, command)).splitlines()
            for line in printed:
                assert [one for one in output if matches(one, line)], (command, line, output)
        assert server.stop() == 0
    finally:
        if server.running:
            server.kill()
    assert followed.count("sevenhues") > 3


def assert_well_written(folder: Path) -> None:
    """The page's files keep to the style of ours."""
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(PAGE.parents[1] / "pyproject.toml"), "--no-cache", str(folder)]
    for check in (["format", "--diff"], ["check", "--ignore", "I001"]):
        done = subprocess.run([*ruff, *check, *config], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def matches(printed: str, line: str) -> bool:
    """Tell whether a line that was printed is the one on the page, where … stands for what varies."""
    return re.fullmatch(re.escape(line).replace("…", ".*"), printed) is not None
