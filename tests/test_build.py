"""What the build makes: the same package compiled, or plain where it must be."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from build_hook import modules

ROOT = Path(__file__).parents[1]
HATCHLING = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"]


def build(folder: Path, **environment: str) -> tuple[Path, str]:
    """Build a wheel; return it and what the build said."""
    done = subprocess.run(
        [*HATCHLING, str(folder)], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel, done.stdout + done.stderr


def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_rules_are_compiled_and_typed_dicts_are_not() -> None:
    listed = modules(ROOT / "src")
    assert {"sevenhues/core/game.py", "sevenhues/games/rainbow/rules.py", "sevenhues/bots/random.py"} <= set(listed)
    assert not [name for name in listed if name.endswith(("__init__.py", "wire.py"))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({"SEVENHUES_PURE": "1"}, "SEVENHUES_PURE=1, so nothing is compiled"),
        ({"CC": "/nonexistent/cc"}, "no working C compiler, so nothing is compiled"),
    ],
)
def test_without_a_compiler_the_package_is_the_same_and_plain(
    tmp_path: Path, environment: dict[str, str], line: str
) -> None:
    wheel, said = build(tmp_path, **environment)
    assert line in said
    assert wheel.name.endswith("-py3-none-any.whl")
    names = contents(wheel)
    assert not [name for name in names if name.endswith(".so")]
    assert {"sevenhues/core/game.py", "sevenhues/py.typed"} <= names
    assert {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("RULES*.md")} <= names
    assert "sevenhues/web/index.html" in names
    where = {"PYTHONPATH": str(wheel), "PATH": os.environ["PATH"]}
    version = [sys.executable, "-c", "import sevenhues; print(sevenhues.COMPILED, sevenhues.__file__)"]
    told = subprocess.run(version, env=where, capture_output=True, text=True, cwd=tmp_path, check=True).stdout
    assert told.startswith(f"False {wheel}")


@pytest.mark.slow
def test_nothing_is_left_behind_in_the_sources(tmp_path: Path) -> None:
    before = set((ROOT / "src").rglob("*.so"))
    build(tmp_path, SEVENHUES_PURE="1")
    assert set((ROOT / "src").rglob("*.so")) == before == set()
