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
    """A command of the page, and the beginnings of the lines that it says will be printed."""

    command: str
    printed: list[str]


def write(folder: Path) -> list[str]:
    """Write the files of the page, those that it shows in parts from part to part; return their names."""
    parts: dict[str, list[str]] = {}
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        parts.setdefault(name, []).append(text)
    for name, texts in parts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("\n".join(texts), encoding="utf-8")
    return list(parts)


def steps() -> Iterator[Step]:
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
        """Run a command line as it stands, and return what it printed."""
        program, *words = shlex.split(command)
        if program == "pip":
            words += self._into()
        programs = {"python": [sys.executable], "sevenhues": [str(COMMAND)], "pip": [str(UV), "pip"]}
        done = subprocess.run(
            [*programs[program], *words],
            cwd=self.folder,
            env=os.environ | {"PYTHONPATH": self.path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    def _into(self) -> list[str]:
        """Into the folder and with what is here, so that neither a network nor an environment is touched."""
        here = ["--offline", "--no-deps", "--no-build-isolation", "--python", sys.executable]
        return [*here, "--quiet", "--target", str(self.packages)]
