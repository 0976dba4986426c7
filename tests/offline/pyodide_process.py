"""Pyodide in Node, with the package in the parts that browsers get."""

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
PARTS = ROOT / "src/sevenhues/web/offline"
ARCHIVES = ("python_stdlib", "packages", "sevenhues")


class Pyodide:
    """Calls functions of modules in Pyodide that return text."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def call(self, module: str, function: str, *values: object) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([module, function, *values]) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return str(answer["answer"])


def parts_are_built() -> bool:
    return (PARTS / "parts.json").exists()


@contextmanager
def start(folder: Path) -> Iterator[Pyodide]:
    """Start Pyodide with the built parts, which are unpacked in a folder; it takes about 3 seconds."""
    node = Path(sys.executable).with_name("node")
    for name in ARCHIVES:
        (packed,) = PARTS.glob(f"{name}-*.zip.gz")
        (folder / f"{name}.zip").write_bytes(gzip.decompress(packed.read_bytes()))
    network = folder / "network.mjs"
    executable = str(node if node.exists() else shutil.which("node") or "node")
    transpile = [executable, str(ROOT / "tests/offline/transpile.mjs"), str(WEB)]
    subprocess.run([*transpile, str(WEB / "src/offline/network.ts"), str(network)], check=True)
    command = [executable, str(ROOT / "tests/offline/pyodide.mjs"), str(WEB / "node_modules/pyodide")]
    arguments = [str(folder), str(ROOT), str(network)]
    with subprocess.Popen([*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Pyodide(process)
        assert process.stdin is not None
        process.stdin.close()
