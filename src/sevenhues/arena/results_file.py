"""Stores results in a folder, so that a match can be stopped and resumed."""

import fcntl
import json
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

from sevenhues.arena.match import Match, Result, Task, seat_players
from sevenhues.core.errors import BadOption

FORMAT: Final = 2
FILE_NAME: Final = "results.jsonl"
LOCK_NAME: Final = "results.lock"

Key = tuple[tuple[str, ...], int]


class ResultsFile:
    """A file with the settings of a match in its first line and a result in each further line.

    Without a folder, results are kept in memory only. A folder is locked, so that two matches cannot write to it at
    the same time; the lock ends with the process.
    """

    def __init__(self, folder: Path | None) -> None:
        self.file = folder / FILE_NAME if folder else None
        self.settings: dict[str, Any] | None = None
        self.results: list[Result] = []
        self._lock: IO[str] | None = None
        if folder is not None and folder.exists():
            self._lock_and_read(folder)

    def seed(self) -> str | None:
        """Return the seed of the stored match; None if there is none."""
        return self.settings["seed"] if self.settings else None

    def open(self, match: Match) -> None:
        """Write the settings of a match, or check that they are those of the stored match."""
        settings = {"format": FORMAT, **asdict(match)}
        if self.file is not None and self._lock is None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._lock_and_read(self.file.parent)
        if self.settings is not None:
            self._check_settings(settings)
        else:
            self._append(settings)
        self.settings = settings

    def merge(self, folder: Path) -> None:
        """Add the results of another folder that this file lacks; raise BadOption if they are of another match."""
        if not (folder / FILE_NAME).exists():
            raise BadOption(f"{folder} has no {FILE_NAME}")
        other = ResultsFile(folder)
        assert self.settings is not None, "the match has been opened"
        try:
            if other.settings is not None:
                other._check_settings(self.settings)
        finally:
            other.close()
        done = {(tuple(result.bots), result.deal) for result in self.results}
        for result in other.results:
            if (tuple(result.bots), result.deal) not in done:
                self.add(result)

    def close(self) -> None:
        """Release the lock of the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _check_settings(self, settings: dict[str, Any]) -> None:
        """Raise BadOption if the stored results are not those of a match with these settings."""
        assert self.settings is not None
        for name, value in settings.items():
            if self.settings.get(name) != value:
                stored = json.dumps(self.settings.get(name))
                conflict = f"{self.file} holds results with {name} {stored}, not {json.dumps(value)}"
                raise BadOption(f"{conflict}; save to another folder")

    def _lock_and_read(self, folder: Path) -> None:
        lock = (folder / LOCK_NAME).open("w", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise BadOption(
                f"another match is writing to {folder}; give each its own folder and --shard, and --merge them"
            ) from None
        self._lock = lock
        try:
            if (folder / FILE_NAME).exists():
                self._read(folder / FILE_NAME)
        except BadOption:
            self.close()
            raise

    def add(self, result: Result) -> None:
        """Store a result. It is written to the file before this returns."""
        self.results.append(result)
        self._append(asdict(result))

    def missing(self, todo: list[Task], seats: int) -> list[Task]:
        """Return the games that have no stored result."""
        done = {(tuple(result.bots), result.deal) for result in self.results}
        return [task for task in todo if self._key(task, seats) not in done]

    def of(self, todo: list[Task], seats: int) -> list[Result]:
        """Return the stored results of these games, in the order of the games."""
        by_key = {(tuple(result.bots), result.deal): result for result in self.results}
        return [by_key[key] for task in todo if (key := self._key(task, seats)) in by_key]

    def _key(self, task: Task, seats: int) -> Key:
        return tuple(player.key for player in seat_players(task, seats)), task.deal

    def _append(self, line: dict[str, Any]) -> None:
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")

    def _read(self, file: Path) -> None:
        data = file.read_bytes()
        complete = data[: data.rfind(b"\n") + 1]  # an interrupted run may have left an incomplete line
        lines = complete.decode("utf-8", errors="replace").splitlines()
        try:
            parsed = [json.loads(line) for line in lines]
            self.settings = parsed[0] if parsed else None
            self.results = [Result(**line) for line in parsed[1:]]
        except (ValueError, TypeError) as error:
            raise BadOption(f"{file} is not a results file of the arena ({error}); save to another folder") from None
        if len(complete) < len(data):
            file.write_bytes(complete)
