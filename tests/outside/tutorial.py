"""Follow docs/adding-a-game.md: write its files, install its package, run its commands."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.cli.command import COMMAND

PAGE = Path(__file__).parents[2] / "docs/adding-a-game.md"
FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
UV = Path(sys.executable).with_name("uv")
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SERVE = "sevenhues serve"


class Step(NamedTuple):
    """A command of the page, and the lines that the page says it prints."""

    command: str
    printed: list[str]


def write(folder: Path) -> list[str]:
    """Write the files of the page and return their names. A file may be shown in several parts."""
    parts: dict[str, list[str]] = {}
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        parts.setdefault(name, []).append(text)
    for name, texts in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(texts), encoding="utf-8")
    return list(parts)


def steps() -> Iterator[Step]:
    """Yield the commands of the page, in order."""
    for block in CONSOLE.findall(PAGE.read_text(encoding="utf-8")):
        for part in block.split("$ ")[1:]:
            command, *printed = part.rstrip("\n").split("\n")
            yield Step(command, printed)


class Follower:
    """Runs the commands of the tutorial in a folder and an environment of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.packages = folder / "packages"
        self.path = os.pathsep.join(filter(None, [str(self.packages), os.environ.get("PYTHONPATH")]))

    def run(self, command: str) -> str:
        """Run a command line and return its output."""
        program, *words = shlex.split(command)
        if program == "pip":
            words += self._install_options()
        programs = {"python": [sys.executable], "sevenhues": [str(COMMAND)], "pip": [str(UV), "pip"]}
        result = subprocess.run(
            [*programs[program], *words],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": self.path},
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, (command, result.stdout, result.stderr)
        return result.stdout

    def _install_options(self) -> list[str]:
        """Return options to install into the folder, without a network and without changing an environment."""
        offline = ["--offline", "--no-deps", "--no-build-isolation", "--python", sys.executable]
        return [*offline, "--quiet", "--target", str(self.packages)]
