"""Compares our games with Pgx's own through Pgx's interface: one loop, one process, random moves.

    python bench/pgx_games.py --sizes 17,20 --seconds 2 --out pgx.json

The loop is that of Pgx's documentation: `vmap`, `auto_reset`, a categorical sample of the legal moves, and an
observation at every step. Ratios are to the fastest of Pgx's games.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

from sevenhues import names
from sevenhues.adapters.pgx import make

PEERS = ("leduc_holdem", "hex", "sparrow_mahjong")
FIRST_STEPS = 16  # in the first measurement; doubled while it is short


def random_play(env: Any, games: int) -> Callable[..., Any]:
    """Return a compiled function that makes steps in every game, and counts the finished games."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def body(_: Any, carry: Any) -> Any:
        state, key, ended = carry
        key, choosing, dealing = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(choosing, logits, axis=1)
        state = step(state, action, jax.random.split(dealing, games))
        return state, key, ended + jnp.sum(state.terminated)

    def play(state: Any, key: Any, steps: Any) -> Any:
        return jax.lax.fori_loop(0, steps, body, (state, key, jnp.int32(0)))

    return jax.jit(play, donate_argnums=(0,))


def measure(name: str, env: Any, games: int, seconds: float) -> dict[str, Any]:
    """Measure one game, with `games` of them at once."""
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), games))
    state = jax.tree.map(jnp.copy, state)
    key = jax.random.PRNGKey(2)
    play = random_play(env, games)
    start = perf_counter()
    state, key, ended = play(state, key, FIRST_STEPS)
    int(ended)  # waits for the result
    compiling = perf_counter() - start
    steps, took, best = FIRST_STEPS, 0.0, 0.0
    while took < seconds:
        start = perf_counter()
        state, key, ended = play(state, key, steps)
        int(ended)
        now = perf_counter() - start
        took += now
        best = max(best, games * steps / now)
        if now < seconds / 5:
            steps *= 2
    return {
        "game": name,
        "games": games,
        "million_per_second": round(best / 1e6, 1),
        "plies_per_game": round(games * steps / max(int(ended), 1), 1),
        "compiling": round(compiling, 1),
    }


def main() -> None:
    """Measure all games at every size, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default=",".join(names()), help="Ids of our games, separated by commas.")
    parser.add_argument("--peers", default=",".join(PEERS), help="Ids of Pgx's games, separated by commas.")
    parser.add_argument("--sizes", default="17,20", help="Numbers of games at once, as powers of two.")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    print(jax.__version__, jax.devices()[0].device_kind, flush=True)
    for size in map(int, args.sizes.split(",")):
        envs = {name: pgx.make(name) for name in args.peers.split(",")}
        envs |= {name: make(name) for name in args.games.split(",")}
        of_size = [measure(name, env, 2**size, args.seconds) for name, env in envs.items()]
        best = max(row["million_per_second"] for row in of_size if row["game"] in PEERS)
        for row in of_size:
            row["ratio"] = round(row["million_per_second"] / best, 2)
            print(json.dumps(row), flush=True)
        rows += of_size
    if args.out:
        args.out.write_text(json.dumps({"device": jax.devices()[0].device_kind, "figures": rows}, indent=1))


if __name__ == "__main__":
    main()
