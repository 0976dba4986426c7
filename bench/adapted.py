"""Measures our games through each adapter in the environment it is run in; prints JSON. See run.py."""

import json
import sys
from typing import Any

import gymnasium
import pyspiel
from loops import episodes, states, ticks, turns
from numbers_drawn import numbers
from timing import rate

import sevenhues
from sevenhues.adapters import gymnasium as seats
from sevenhues.adapters import openspiel, pettingzoo


def main() -> None:
    seconds, draw = float(sys.argv[1]), numbers()
    rows: list[dict[str, Any]] = []

    def measure(through: str, name: str, play: Any, table: Any) -> None:
        rows.append({"through": through, "game": name, "steps": rate(lambda: int(play(table, draw)), seconds)})

    for name in sevenhues.names():
        if sevenhues.load(name).simultaneous:
            measure("PettingZoo", name, ticks, pettingzoo.parallel_env(name))
        else:
            measure("PettingZoo", name, turns, pettingzoo.env(name))
    for name, spiel in zip(sevenhues.names(), openspiel.register(), strict=True):
        measure("OpenSpiel", name, states, pyspiel.load_game(spiel))
    for name in seats.register():
        measure("Gymnasium", name.removeprefix("sevenhues/"), episodes, gymnasium.make(name).unwrapped)
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
