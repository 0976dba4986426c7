"""A power cut: the files of a database as they may be on a disk that lost what was not synchronized."""

import random
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HEADER = struct.Struct("<cqII")
SECTOR = 512  # bytes, which a disk writes as a whole


class Change(NamedTuple):
    """A system call that changes a file: (w)rite, (t)runcate, (s)ync or (u)nlink; or a sync of the (d)irectory."""

    operation: str
    path: str
    offset: int
    data: bytes


def read_log(path: Path) -> Iterator[Change]:
    """Read what crash_points.c logged."""
    log, at = path.read_bytes() if path.exists() else b"", 0
    while at < len(log):
        operation, offset, path_length, length = HEADER.unpack_from(log, at)
        at += HEADER.size
        name = log[at : at + path_length].decode()
        at += path_length
        yield Change(operation.decode(), name, offset, log[at : at + length])
        at += length


class LazyFile:
    """A file whose changes are in the memory of the machine until they are synchronized."""

    def __init__(self, content: bytes | None) -> None:
        self.durable = bytearray(content or b"")
        self.exists = content is not None
        self.pending: list[Change] = []

    def change(self, change: Change) -> None:
        if change.operation == "s":
            self._make_durable(len(self.pending))
            self.exists = True
        elif change.operation == "d":
            removals = [number for number, one in enumerate(self.pending, 1) if one.operation == "u"]
            self._make_durable(max(removals, default=0))
        else:
            self.pending.append(change)

    def _make_durable(self, count: int) -> None:
        """Make the first pending changes."""
        for one in self.pending[:count]:
            self._apply(one)
        self.pending = self.pending[count:]

    def cut(self, rng: random.Random) -> int:
        """Lose pending changes at random: each is made, lost, or made in part. Return the number of lost ones."""
        lost = 0
        loses = rng.choice([0.0, 0.5, 1.0])  # all, some or no changes have reached the disk by chance
        for change in self.pending:
            if rng.random() < loses:
                lost += 1
            elif change.operation == "w" and rng.random() < 0.2:
                kept = rng.randrange(0, len(change.data) + 1, SECTOR)
                self._apply(change._replace(data=change.data[:kept]))
                lost += 1
            else:
                self._apply(change)
        self.pending = []
        return lost

    def _apply(self, change: Change) -> None:
        end = change.offset + len(change.data)
        self.exists = change.operation != "u"
        if change.operation == "u":
            self.durable = bytearray()
        elif change.operation == "t":
            self.durable = self.durable[: change.offset].ljust(change.offset, b"\0")
        elif change.data:
            if len(self.durable) < end:
                self.durable.extend(bytes(end - len(self.durable)))
            self.durable[change.offset : end] = change.data


class Disk:
    """The files of a database, as they were when a server started."""

    def __init__(self, database: Path) -> None:
        self._paths = [database, *(database.with_name(f"{database.name}-{end}") for end in ("wal", "journal"))]
        self._shared_memory = database.with_name(f"{database.name}-shm")
        self._files = {str(path): LazyFile(path.read_bytes() if path.exists() else None) for path in self._paths}

    def cut_power(self, log: Path, rng: random.Random) -> int:
        """Write the files as they are after a power cut; return the number of changes that were lost."""
        for change in read_log(log):
            for file in self._files.values() if change.operation == "d" else [self._files[change.path]]:
                file.change(change)
        lost = 0
        for path in self._paths:
            file = self._files[str(path)]
            lost += file.cut(rng)
            if file.exists:
                path.write_bytes(file.durable)
            else:
                path.unlink(missing_ok=True)
        self._shared_memory.unlink(missing_ok=True)
        return lost
