"""The page on adding a game is true: whoever follows it has a fifth game, lawful, and played at a table."""

import re
from pathlib import Path

import pytest

from tests.outside.tutorial import SERVE, Follower, steps, write
from tests.server.process import ServerProcess


def test_following_the_page_adds_a_game_that_is_played_at_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = write(tmp_path)
    assert {"garland/garland/game.py", "garland/garland/RULES.md", "garland/pyproject.toml", "party.py"} <= set(written)
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
            told = reader.run(re.sub(r"http://127\.0\.0\.1:\d+", server.url, command)).splitlines()
            for line in printed:
                assert [one for one in told if matches(one, line)], (command, line, told)
        assert server.stop() == 0
    finally:
        if server.running:
            server.kill()
    assert followed.count("sevenhues") > 3


def matches(told: str, line: str) -> bool:
    """Tell whether a line that was printed is the one on the page, where … stands for what varies."""
    return re.fullmatch(re.escape(line).replace("…", ".*"), told) is not None
