"""Compares the game of docs/adding-a-game.md compiled by the build hook with the same game in plain Python.

    python bench/outside_game.py --plain .venv/bin/python --compiled .venv-compiled/bin/python

Rows: compiled, plain on the compiled package, plain on the plain package. Each is measured in a process of its own, in
turn; the figures are medians, in moves a second of CPU time. `make bench` prints them too.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "adding-a-game.md"
HOOK = re.compile(r"^\[tool\.hatch\.[^`]*", re.MULTILINE)
ROUNDS = 5
MEASURE = """
import json, sys, time
import sevenhues
from sevenhues.core.play import playout
game, rng = sevenhues.load("garland"), sevenhues.Rng(1)
def work(games):
    return sum(playout(sevenhues.quick_deal(game, rng, 2), rng) for _ in range(games))
work(20)
moves, start = 0, time.process_time()
while time.process_time() - start < float(sys.argv[1]):
    moves += work(20)
playing = moves / (time.process_time() - start)
position = sevenhues.quick_deal(game, rng, 2)
dealt, start = 0, time.process_time()
while time.process_time() - start < float(sys.argv[1]):
    for _ in range(20):
        dealt += playout(position.copy(), rng)
print(json.dumps({"with deals": playing, "from a dealt position": dealt / (time.process_time() - start)}))
"""


def install(python: str, folder: Path, pure: bool) -> Path:
    """Install the game of the page into a folder."""
    sys.path.insert(0, str(ROOT))
    source = folder / "source"
    import_module("tests.outside.tutorial").write(source)
    with (source / "garland/pyproject.toml").open("a", encoding="utf-8") as project:
        project.write(HOOK.findall(PAGE.read_text(encoding="utf-8"))[0])
    target = folder / "packages"
    uv = Path(python).with_name("uv")
    options = ["--offline", "--no-deps", "--no-build-isolation", "--python", python, "--target", str(target)]
    environment = os.environ | ({"SEVENHUES_PURE": "1"} if pure else {})
    command = [str(uv), "pip", "install", "-q", *options, str(source / "garland")]
    subprocess.run(command, check=True, env=environment)
    return target


def measure(plain: str, compiled: str, seconds: float, rounds: int) -> list[dict[str, Any]]:
    """Measure the game in all three ways; return rows of the median rates and of the ratios to the first row."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        built = install(compiled, folder / "compiled", pure=False)
        pure = install(compiled, folder / "plain", pure=True)
        ways = {
            "compiled": (compiled, built),
            "plain, on the compiled package": (compiled, pure),
            "plain, on the plain package": (plain, pure),
        }
        results: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
        for _ in range(rounds):
            for way, (python, packages) in ways.items():
                command = [python, "-c", MEASURE, str(seconds)]
                environment = os.environ | {"PYTHONPATH": str(packages)}
                done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
                results[way].append(json.loads(done.stdout))
    return [
        {
            "moves": kind,
            "game": way,
            "rate": statistics.median(each[kind] for each in measured),
            "ratio": statistics.median(
                fast[kind] / each[kind] for fast, each in zip(results["compiled"], measured, strict=True)
            ),
        }
        for kind in ("with deals", "from a dealt position")
        for way, measured in results.items()
    ]


def print_rows(rows: list[dict[str, Any]]) -> None:
    """Print the rates, and by how much the compiled game is faster."""
    print("\nThe game of docs/adding-a-game.md, random moves a second of CPU time")
    for row in rows:
        name = f"{row['game']}, {row['moves']}"
        print(f"  {name:58}{row['rate'] / 1e3:8.0f} k   compiled is {row['ratio']:.1f} times as fast")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", default=str(ROOT / ".venv/bin/python"), help="Python with the plain package")
    parser.add_argument("--compiled", default=str(ROOT / ".venv-compiled/bin/python"), help="Python with the compiled")
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU time of each measurement")
    args = parser.parse_args()
    print_rows(measure(args.plain, args.compiled, args.seconds, ROUNDS))


if __name__ == "__main__":
    main()
