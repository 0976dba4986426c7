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
    programs = []
    try:
        for command, printed in steps():
            programs.append(command.split()[0])
            if command.startswith(SERVE):
                server.start()
                continue
            output = reader.run(re.sub(r"http://127\.0\.0\.1:\d+", server.url, command)).splitlines()
            for line in printed:
                assert [printed_line for printed_line in output if matches(printed_line, line)], (command, line, output)
        assert server.stop() == 0
    finally:
        if server.running:
            server.kill()
    assert programs.count("sevenhues") > 3


def assert_well_written(folder: Path) -> None:
    """Check the style of the files on the page with the settings of this project."""
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(PAGE.parents[1] / "pyproject.toml"), "--no-cache", str(folder)]
    for check in (["format", "--diff"], ["check", "--ignore", "I001"]):
        result = subprocess.run([*ruff, *check, *config], capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr


def matches(printed: str, line: str) -> bool:
    """Return whether a printed line is the line on the page, in which … matches anything."""
    return re.fullmatch(re.escape(line).replace("…", ".*"), printed) is not None
