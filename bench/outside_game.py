"""Compares the game of docs/adding-a-game.md compiled by the build hook with the same game in plain Python.

    python bench/outside_game.py --plain .venv/bin/python --compiled .venv-compiled/bin/python

Rows: compiled, plain on the compiled package, plain on the plain package. Each is measured in a process of its own, in
turn; the figures are medians, in thousand moves a second of CPU time, and in random games with their deals.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", default=str(ROOT / ".venv/bin/python"), help="Python with the plain package")
    parser.add_argument("--compiled", default=str(ROOT / ".venv-compiled/bin/python"), help="Python with the compiled")
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU time of each measurement")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        compiled = install(args.compiled, folder / "compiled", pure=False)
        plain = install(args.compiled, folder / "plain", pure=True)
        rows = {
            "compiled": (args.compiled, compiled),
            "plain, on the compiled package": (args.compiled, plain),
            "plain, on the plain package": (args.plain, plain),
        }
        results: dict[str, list[dict[str, float]]] = {name: [] for name in rows}
        for _ in range(ROUNDS):
            for name, (python, packages) in rows.items():
                command = [python, "-c", MEASURE, str(args.seconds)]
                environment = os.environ | {"PYTHONPATH": str(packages)}
                done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
                results[name].append(json.loads(done.stdout))
    for kind in ("with deals", "from a dealt position"):
        best = results["compiled"]
        print(f"Random moves {kind}, thousand a second of CPU time")
        for name, measured in results.items():
            rate = statistics.median(each[kind] for each in measured) / 1000
            ratio = statistics.median(fast[kind] / each[kind] for fast, each in zip(best, measured, strict=True))
            print(f"  {name:<32} {rate:8.0f}   compiled is {ratio:.1f} times as fast")


if __name__ == "__main__":
    main()
