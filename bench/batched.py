"""Measures the speed of batched games: random play, in million moves per second.

    python bench/batched.py --sizes 16,18,20 --seconds 2 --out speed.json

Each game is played with uniformly random legal moves, and dealt anew as soon as it is over, so every step is a move.
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
from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import GOLDEN, mix
from sevenhues.core.errors import BadOption
from sevenhues.training.ppo import replace_finished

FIRST_STEPS = 64  # in the first measurement; doubled while it is short
BITS_SALT, DEAL_SALT = np.uint32(12345), np.uint32(77)
MAX_DUMP = 8_000_000  # characters


def random_play(batch_game: BatchGame, games: int, unroll: int) -> Callable[..., Any]:
    """Return a compiled function that plays steps in every game and counts the finished games."""
    lane = np.arange(games, dtype=np.uint32)

    def ply(states: Any, seed: Any) -> tuple[Any, Any]:
        bits = mix(mix(lane + seed * GOLDEN) ^ (seed + BITS_SALT))
        states = batch_game.step(states, batch_game.pick(states, bits))
        over = batch_game.over(states)
        return replace_finished(over, batch_game.deal(mix(bits ^ DEAL_SALT), mix(bits + GOLDEN)), states), over

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
    """Measure one game, with `games` of them at once."""
    batch_game = batch.make(name)
    states = jax.jit(batch_game.init)(jax.random.split(jax.random.key(games), games))
    states = jax.tree.map(jnp.copy, states)
    play = random_play(batch_game, games, unroll)
    start = perf_counter()
    if dump is not None:
        text = play.lower(states, jnp.uint32(0), jnp.int32(1)).compile().as_text()  # type: ignore[attr-defined]
        dump.write_text(text[:MAX_DUMP])
    states, ended = play(states, jnp.uint32(0), jnp.int32(FIRST_STEPS))
    float(ended)  # waits for the result
    compiled = perf_counter() - start
    steps, at, took, best = FIRST_STEPS, FIRST_STEPS, 0.0, 0.0
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
    """Measure every game that has a batched version."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="", help="Ids separated by commas; default: all batched games.")
    parser.add_argument("--sizes", default="16,18,20", help="Numbers of games at once, as powers of two.")
    parser.add_argument("--unroll", default="1", help="Steps in one iteration of the loop.")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--dump", type=Path, help="A folder for the compiled programs, as text.")
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    print(jax.__version__, jax.devices()[0].device_kind, flush=True)
    for name in args.games.split(",") if args.games else names():
        try:
            batch.make(load(name))
        except BadOption as error:
            print(error)
            continue
        for size in map(int, args.sizes.split(",")):
            for unroll in map(int, args.unroll.split(",")):
                dump = args.dump / f"{name}-{size}-{unroll}.txt" if args.dump else None
                rows.append(measure(name, 2**size, unroll, args.seconds, dump))
                print(json.dumps(rows[-1]), flush=True)
    if args.out:
        args.out.write_text(json.dumps({"device": jax.devices()[0].device_kind, "figures": rows}, indent=1))


if __name__ == "__main__":
    main()
