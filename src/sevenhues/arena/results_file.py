"""Keeps results in a folder, so that a match can be stopped and gone on with."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sevenhues.arena.match import Match, Result, Task, seated
from sevenhues.core.errors import BadOption

FORMAT = 1
FILE = "results.jsonl"

Key = tuple[tuple[str, ...], int]


class Ledger:
    """A file with the settings in its first line and a result in each further one."""

    def __init__(self, folder: Path | None) -> None:
        self.file = folder / FILE if folder else None
        self.settings: dict[str, Any] | None = None
        self.results: list[Result] = []
        if self.file is not None and self.file.exists():
            self._read(self.file)

    def seed(self) -> str | None:
        """Return the seed of the match that is kept here, if there is one."""
        return self.settings["seed"] if self.settings else None

    def open(self, match: Match) -> None:
        """Begin, or check that this is the match that is kept here."""
        settings = {"format": FORMAT, **asdict(match)}
        if self.settings is not None:
            for name, value in settings.items():
                if self.settings.get(name) != value:
                    was = json.dumps(self.settings.get(name))
                    what = f"{self.file} holds results with {name} {was}, not {json.dumps(value)}"
                    raise BadOption(f"{what}; save to another folder")
        elif self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._append(settings)
        self.settings = settings

    def add(self, result: Result) -> None:
        """Keep a result; it is on the disk when this returns."""
        self.results.append(result)
        self._append(asdict(result))

    def missing(self, todo: list[Task], seats: int) -> list[Task]:
        """List the games that are not kept yet."""
        done = {(tuple(result.bots), result.deal) for result in self.results}
        return [task for task in todo if self._key(task, seats) not in done]

    def of(self, todo: list[Task], seats: int) -> list[Result]:
        """List the results of these games that are there, in the order of the games."""
        found = {(tuple(result.bots), result.deal): result for result in self.results}
        return [found[key] for task in todo if (key := self._key(task, seats)) in found]

    def _key(self, task: Task, seats: int) -> Key:
        return tuple(entrant.key for entrant in seated(task, seats)), task.deal

    def _append(self, line: dict[str, Any]) -> None:
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")

    def _read(self, file: Path) -> None:
        data = file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]  # a run that was killed may have left half a line
        lines = whole.decode("utf-8", errors="replace").splitlines()
        try:
            parsed = [json.loads(line) for line in lines]
            self.settings = parsed[0] if parsed else None
            self.results = [Result(**line) for line in parsed[1:]]
        except (ValueError, TypeError) as error:
            raise BadOption(f"{file} holds no results of the arena ({error}); save to another folder") from None
        if len(whole) < len(data):
            file.write_bytes(whole)
