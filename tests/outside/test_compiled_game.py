"""The game of docs/adding-a-game.md, compiled outside the package: its laws, and where it is refused."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sevenhues
from sevenhues.compiling.compile_game import CannotCompile, compile_game
from tests.outside.tutorial import PAGE, UV, write

HOOK = re.compile(r"^\[tool\.hatch\.[^`]*", re.MULTILINE)
MODULES = ["garland/position.py", "garland/game.py"]
COMPILED_ONLY = pytest.mark.skipif(
    not sevenhues.COMPILED, reason="games are only compiled against the compiled package"
)
LAWS = """
import garland.position, sevenhues
from sevenhues.testing import check_game
assert garland.position.__file__.endswith(".so"), garland.position.__file__
assert check_game(sevenhues.load("garland"), games=20) == 140
"""
FINGERPRINT = "sevenhues.compiling.contract.fingerprint = lambda: 'another'"


def run(program: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a program that imports from a folder."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of the guide's game with the build hook, and install it into a folder."""
    folder = tmp_path_factory.mktemp("garland")
    write(folder)
    with (folder / "garland/pyproject.toml").open("a", encoding="utf-8") as project:
        project.write(HOOK.findall(PAGE.read_text(encoding="utf-8"))[0])
    target = folder / "packages"
    options = ["--offline", "--no-deps", "--no-build-isolation", "--python", sys.executable, "--target", str(target)]
    command = [str(UV), "pip", "install", *options, str(folder / "garland")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


@COMPILED_ONLY
@pytest.mark.slow
def test_game_compiled_outside_keeps_the_laws(installed: Path) -> None:
    done = run(LAWS, installed)
    assert done.returncode == 0, done.stderr


@COMPILED_ONLY
@pytest.mark.slow
def test_compiled_game_is_refused_by_another_build(installed: Path) -> None:
    done = run(f"import sevenhues.compiling.contract\n{FINGERPRINT}\nimport garland", installed)
    assert "ImportError: garland was compiled for another version of Seven Hues: build garland again" in done.stderr


@COMPILED_ONLY
@pytest.mark.slow
def test_game_that_is_compiled_by_mypyc_alone_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    folder = tmp_path / "garland"
    command = [sys.executable, "-m", "mypyc", *MODULES]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    refused = run("import garland", folder)
    assert refused.returncode == 1
    assert "GarlandPosition was compiled by mypyc alone, so it cannot inherit from the compiled" in refused.stderr


@COMPILED_ONLY
@pytest.mark.parametrize(
    ("modules", "message"),
    [
        ([], "no modules are given"),
        (["garland/flags.py"], "there is no module garland/flags.py"),
        (["garland/__init__.py"], "list the modules of the package, not the package"),
    ],
)
def test_wrong_modules_are_refused(modules: list[str], message: str, tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(CannotCompile, match=message):
        compile_game(tmp_path / "garland", modules, tmp_path / "work")
