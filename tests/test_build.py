"""The build makes the same package compiled, or plain where it cannot compile.

The plain wheel that is built without a compiler is tested in test_release.py.
"""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from build_hook import ModuleMissing, check_complete, modules

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"


class Build(NamedTuple):
    wheel: Path
    log: str
    libraries: set[Path]  # compiled modules in the sources, before the build and after it


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Build a wheel with SEVENHUES_PURE=1."""
    folder = tmp_path_factory.mktemp("wheel")
    libraries = set(SRC.rglob("*.so"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    environment = os.environ | {"SEVENHUES_PURE": "1"}
    done = subprocess.run(build, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return Build(wheel, done.stdout + done.stderr, libraries | set(SRC.rglob("*.so")))


def test_rules_are_compiled_and_typed_dicts_are_not() -> None:
    listed = modules(SRC)
    assert {"sevenhues/core/game.py", "sevenhues/games/rainbow/rules.py", "sevenhues/bots/random.py"} <= set(listed)
    assert not [name for name in listed if name.endswith(("__init__.py", "view_types.py"))]


def test_every_other_module_of_the_rules_and_bots_is_compiled() -> None:
    folders = [SRC / "sevenhues" / name for name in ("core", "render", "bots", "games")]
    paths = {path.relative_to(SRC).as_posix() for folder in folders for path in folder.rglob("*.py")}
    plain = {name for name in paths - set(modules(SRC)) if not name.endswith(("__init__.py", "view_types.py"))}
    assert {name for name in plain if "/batch/" not in name} == {"sevenhues/bots/network_bots.py"}


def test_build_fails_if_a_module_is_not_compiled(tmp_path: Path) -> None:
    for name in ("sevenhues/core/one.py", "sevenhues/core/two.py", "lib/sevenhues/core/one.cpython-311.so"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    built = [tmp_path / "lib/sevenhues/core/one.cpython-311.so"]
    with pytest.raises(ModuleMissing, match=r"not compiled: sevenhues/core/two\.py"):
        check_complete(tmp_path, built)


@pytest.mark.slow
def test_pure_wheel_holds_the_whole_package_and_nothing_compiled(pure: Build) -> None:
    assert "SEVENHUES_PURE=1, so nothing is compiled" in pure.log
    assert pure.wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(pure.wheel) as archive:
        names = set(archive.namelist())
    assert not [name for name in names if name.endswith(".so")]
    assert {"sevenhues/core/game.py", "sevenhues/py.typed"} <= names
    assert {path.relative_to(SRC).as_posix() for path in SRC.rglob("RULES*.md")} <= names
    assert {"sevenhues/web/index.html", "sevenhues/web/offline/parts.json"} <= names


@pytest.mark.slow
def test_pure_wheel_is_imported_as_not_compiled(pure: Build, tmp_path: Path) -> None:
    environment = {"PYTHONPATH": str(pure.wheel), "PATH": os.environ["PATH"]}
    program = [sys.executable, "-c", "import sevenhues; print(sevenhues.COMPILED, sevenhues.__file__)"]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.startswith(f"False {pure.wheel}")


@pytest.mark.slow
def test_build_leaves_no_compiled_module_in_the_sources(pure: Build) -> None:
    assert pure.libraries == set()
