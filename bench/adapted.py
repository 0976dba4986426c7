"""Measures the games of Seven Hues through each adapter; prints JSON. Run by run.py."""

import json
import sys
from typing import Any

import gymnasium
import pyspiel
from gymnasium.vector import SyncVectorEnv
from loops import play_gymnasium, play_openspiel, play_pettingzoo_parallel, play_pettingzoo_turns, play_vector
from random_numbers import number_source
from timing import rate

import sevenhues
from sevenhues.adapters import gymnasium as gymnasium_adapter
from sevenhues.adapters import openspiel, pettingzoo

VECTOR_SIZE = 256  # games of a vector environment


def main() -> None:
    seconds, draw = float(sys.argv[1]), number_source()
    rows: list[dict[str, Any]] = []

    def measure(framework: str, name: str, play: Any, environment: Any) -> None:
        rows.append(
            {"framework": framework, "game": name, "steps": rate(lambda: int(play(environment, draw)), seconds)}
        )

    for name in sevenhues.names():
        if sevenhues.load(name).simultaneous:
            measure("PettingZoo", name, play_pettingzoo_parallel, pettingzoo.parallel_env(name))
        else:
            measure("PettingZoo", name, play_pettingzoo_turns, pettingzoo.env(name))
    for name, openspiel_name in zip(sevenhues.names(), openspiel.register(), strict=True):
        measure("OpenSpiel", name, play_openspiel, pyspiel.load_game(openspiel_name))
    for name in gymnasium_adapter.register():
        measure("Gymnasium", name.removeprefix("sevenhues/"), play_gymnasium, gymnasium.make(name).unwrapped)
    for name in gymnasium_adapter.register():
        single = [lambda name=name: gymnasium.make(name).unwrapped] * VECTOR_SIZE
        title = name.removeprefix("sevenhues/").removesuffix("-v0")
        measure("make_vec", title, play_vector, gymnasium.make_vec(name, VECTOR_SIZE))
        measure("SyncVectorEnv", title, play_vector, SyncVectorEnv(single))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
