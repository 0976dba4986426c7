"""A server whose client can be replaced by another version, as a new release does."""

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import sevenhues
from tests.server.process import ServerProcess

PACKAGE = Path(sevenhues.__file__).parent
MARK = '<meta name="release" content="2" />'  # of a first page that was changed


class Release:
    """A copy of the client and a server that serves it. Its parts of offline play are small files."""

    def __init__(self, folder: Path, *options: str) -> None:
        package = folder / "package/sevenhues"
        package.mkdir(parents=True)
        for entry in PACKAGE.iterdir():
            if entry.name != "web":
                (package / entry.name).symlink_to(entry)
        self.client = package / "web"
        shutil.copytree(PACKAGE / "web", self.client, ignore=shutil.ignore_patterns("offline"))
        (self.client / "offline").mkdir()
        self.set_parts({"one.zip": b"one", "two.zip": b"two"})
        self.server = ServerProcess(folder / "data", *options, package=package.parent)

    def __enter__(self) -> Self:
        self.server.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.server.__exit__(kind, error, trace)

    def update(self, change: Callable[[], object]) -> None:
        """Stop the server, change its files, and start it again."""
        self.server.stop()
        change()
        self.server.start()

    def set_parts(self, contents: dict[str, bytes]) -> None:
        parts = [self._write_part(name, content) for name, content in contents.items()]
        (self.client / "offline/parts.json").write_text(json.dumps({"version": "of a test", "parts": parts}))

    def use_real_parts(self) -> None:
        """Replace the small parts by those of the package, with which games can be played."""
        shutil.rmtree(self.client / "offline")
        shutil.copytree(PACKAGE / "web/offline", self.client / "offline")

    def part_path(self, name: str) -> str:
        """Return the path of a part, from the list that is served."""
        listed = json.loads((self.client / "offline/parts.json").read_text())["parts"]
        path: str = next(part["path"] for part in listed if part["name"] == name)
        return path

    def _write_part(self, name: str, content: bytes) -> dict[str, object]:
        stem, _, extension = name.rpartition(".")
        path = f"offline/{stem}-{hashlib.sha256(content).hexdigest()[:16]}.{extension}"
        (self.client / f"{path}.gz").write_bytes(gzip.compress(content))
        return {"name": name, "path": f"/{path}", "bytes": len(content), "transferred": len(content)}

    def mark(self) -> None:
        """Change the first page, and so the version of the client."""
        self.replace_text("index.html", "</head>", f"{MARK}</head>")

    def replace_text(self, file: str, old: str, new: str) -> None:
        """Change a text of a file of the client, which keeps its name."""
        path = self.client / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
