"""The package without the packages of the extra `play`, as after `pip install sevenhues`."""

import json
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.cli.command import error_message, sevenhues

# Modules that may not be importable.
NEED_PLAY = ("sevenhues.bot_runner.", "sevenhues.client", "sevenhues.server.", "sevenhues.terminal.")
IMPORT_ALL = """
import importlib, json, pkgutil, sevenhues
missing = {}
for module in pkgutil.walk_packages(sevenhues.__path__, "sevenhues."):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        missing[module.name] = str(error)
print(json.dumps(missing))
"""


def requirements(extra: str) -> set[str]:
    """Return the names of the packages that sevenhues requires with an extra, or with none."""
    wanted = [Requirement(line) for line in requires("sevenhues") or []]
    return {one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": extra})}


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a PYTHONPATH on which the packages of the extra `play` cannot be imported."""
    folder = tmp_path_factory.mktemp("hidden")
    for name in requirements("play") - requirements(""):
        module = name.replace("-", "_")
        error = f"raise ModuleNotFoundError({f'No module named {module!r}'!r}, name={module!r})"
        (folder / f"{module}.py").write_text(error, encoding="utf-8")
    return str(folder)


def test_packages_of_the_server_are_required_by_the_extra_play_alone() -> None:
    server = {"httptools", "httpx", "litestar", "textual", "uvicorn", "uvloop", "websockets"}
    assert server <= requirements("play")
    assert not server & (requirements("") | requirements("gymnasium") | requirements("research"))
    assert requirements("play") <= requirements("scale")


@pytest.mark.slow
def test_only_the_server_its_clients_and_the_full_screen_terminal_need_the_extra_play(hidden: str) -> None:
    command = [sys.executable, "-c", IMPORT_ALL]
    done = subprocess.run(command, env={"PYTHONPATH": hidden}, capture_output=True, text=True, check=True)
    missing = json.loads(done.stdout)
    assert {"sevenhues.client", "sevenhues.server.main", "sevenhues.terminal.app"} <= set(missing)
    assert not {name: error for name, error in missing.items() if not name.startswith(NEED_PLAY)}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("serve", "the server needs uvicorn"),
        ("schema", "the schema needs uvicorn"),
        ("copy-to-postgres --database-url postgresql://db/hues", "a copy to PostgreSQL needs uvicorn"),
        ("rotate-key", "a signing key needs itsdangerous"),
        ("rebuild-ratings", "rebuilding ratings needs uvicorn"),
    ],
)
def test_command_without_the_extra_play_says_what_to_install(
    words: str, message: str, hidden: str, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    done = sevenhues(*words.split(), PYTHONPATH=hidden, SEVENHUES_DATA=str(data))
    assert error_message(done, 2) == f'{message}: pip install "sevenhues[play]"'
    assert not data.exists()


def test_games_are_played_and_simulated_without_the_extra_play(hidden: str, tmp_path: Path) -> None:
    assert sevenhues("simulate", "rainbow", "-n", "2", "--save", str(tmp_path), PYTHONPATH=hidden).returncode == 0
    records = sorted(str(path) for path in tmp_path.glob("*.json"))
    assert sevenhues("verify", *records, PYTHONPATH=hidden).stdout.count(": valid: Rainbow, ") == 2
    players = ("--bots", "seedling,random", "-n", "2", "--json")
    assert json.loads(sevenhues("arena", "rainbow", *players, PYTHONPATH=hidden).stdout)["bots"]
    assert "Rainbow" in sevenhues("play", "rainbow", "--plain", PYTHONPATH=hidden, stdin="q\n").stdout
