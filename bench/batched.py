"""Speed of the batched twins: random play of many games at once, in million moves a second.

    python bench/batched.py --sizes 16,18,20 --seconds 2 --out speed.json

Each game is played on with uniformly random legal moves, and dealt anew as soon as it is over: every step is a move.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from sevenhues import batch, load, names
from sevenhues.batch.contract import Twin
from sevenhues.batch.jax_bits import GOLDEN, mix
from sevenhues.core.errors import BadOption
from sevenhues.training.ppo import keep

STEPS = 64  # between two looks at the clock, at first


def random_play(twin: Twin, games: int, unroll: int) -> Callable[..., Any]:
    """Return a compiled function that plays so many steps in every game, and counts the games that ended."""
    lane = np.arange(games, dtype=np.uint32)

    def ply(states: Any, seed: Any) -> tuple[Any, Any]:
        bits = mix(mix(lane + seed * GOLDEN) ^ (seed + np.uint32(12345)))
        states = twin.step(states, twin.pick(states, bits))
        over = twin.over(states)
        return keep(over, twin.deal(mix(bits ^ np.uint32(77)), mix(bits + GOLDEN)), states), over

    def play(states: Any, start: Any, steps: Any) -> Any:
        def body(i: Any, carry: Any) -> Any:
            states, ended = carry
            for j in range(unroll):
                states, over = ply(states, start + (i * unroll + j).astype(jnp.uint32))
                ended = ended + over.astype(jnp.uint32)
            return states, ended

        states, ended = jax.lax.fori_loop(0, steps // unroll, body, (states, jnp.zeros(games, jnp.uint32)))
        return states, jnp.sum(ended)

    return jax.jit(play, donate_argnums=(0,))


def measure(name: str, games: int, unroll: int, seconds: float, dump: Path | None) -> dict[str, Any]:
    """Measure one game with so many of them at once."""
    twin = batch.twin(name)
    states = jax.jit(twin.init)(jax.random.split(jax.random.key(games), games))
    states = jax.tree.map(jnp.copy, states)
    play = random_play(twin, games, unroll)
    start = perf_counter()
    if dump is not None:
        text = play.lower(states, jnp.uint32(0), jnp.int32(1)).compile().as_text()  # type: ignore[attr-defined]
        dump.write_text(text[:8_000_000])
    states, ended = play(states, jnp.uint32(0), jnp.int32(STEPS))
    float(ended)  # waits for it
    compiled = perf_counter() - start
    steps, at, took, best = STEPS, STEPS, 0.0, 0.0
    while took < seconds:
        start = perf_counter()
        states, ended = play(states, jnp.uint32(at), jnp.int32(steps))
        float(ended)
        now = perf_counter() - start
        took += now
        at += steps
        best = max(best, games * steps / now)
        if now < seconds / 5:
            steps *= 2
    return {
        "game": name,
        "games": games,
        "unroll": unroll,
        "million_per_second": round(best / 1e6, 1),
        "plies_per_game": round(games * steps / max(float(ended), 1.0), 1),
        "compiling": round(compiled, 1),
    }


def main() -> None:
    """Measure every game that has a twin."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="", help="Ids; all that have a twin, unless said.")
    parser.add_argument("--sizes", default="16,18,20", help="Powers of two: games at once.")
    parser.add_argument("--unroll", default="1", help="Steps in one round of the loop.")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--dump", type=Path, help="A folder for what the compiler made of it.")
    given = parser.parse_args()
    found: list[dict[str, Any]] = []
    print(jax.__version__, jax.devices()[0].device_kind, flush=True)
    for name in given.games.split(",") if given.games else names():
        try:
            batch.twin(load(name))
        except BadOption as error:
            print(error)
            continue
        for size in map(int, given.sizes.split(",")):
            for unroll in map(int, given.unroll.split(",")):
                dump = given.dump / f"{name}-{size}-{unroll}.txt" if given.dump else None
                found.append(measure(name, 2**size, unroll, given.seconds, dump))
                print(json.dumps(found[-1]), flush=True)
    if given.out:
        given.out.write_text(json.dumps({"device": jax.devices()[0].device_kind, "figures": found}, indent=1))


if __name__ == "__main__":
    main()
