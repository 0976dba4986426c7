"""Measures how long bots think in offline play: the levels of every game in Pyodide, in Node, with the built parts.

    .venv/bin/python bench/offline_bots.py [--game NAME] [--level NAME] [--simulations N] [--games N]

A time is CPU time, so that what else the machine does hardly changes it.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from sevenhues.core import registry
from tests.offline import pyodide_process

MODULE, FUNCTION = "tests.offline.move_times", "move_times"
WARM_UP = 100_000  # the number of a game that is not counted: the browser compiles while it is played


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", action="append", help="only this game")
    parser.add_argument("--level", action="append", help="only this level")
    parser.add_argument("--simulations", type=int, default=0, help="in place of those of offline play")
    parser.add_argument("--games", type=int, default=10, help="of each level against itself")
    given = parser.parse_args()
    print(f"{'game':15} {'level':9} {'moves':>6} {'mean ms':>8} {'99 % ms':>8} {'worst ms':>8}")
    with TemporaryDirectory() as folder, pyodide_process.start(Path(folder)) as pyodide:
        for name in given.game or registry.names():
            for level in given.level or [level.name for level in registry.load(name).bot_support().levels()]:
                pyodide.call(MODULE, FUNCTION, name, level, given.simulations, WARM_UP)
                times: list[float] = []
                for number in range(given.games):
                    times += json.loads(pyodide.call(MODULE, FUNCTION, name, level, given.simulations, number))
                times.sort()
                high, worst = times[len(times) * 99 // 100], times[-1]
                print(f"{name:15} {level:9} {len(times):6} {mean(times):8.1f} {high:8.1f} {worst:8.1f}", flush=True)


if __name__ == "__main__":
    main()
