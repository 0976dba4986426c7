"""How a network fares against fixed opponents, whole games at a time, within JAX."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from sevenhues.batch.contract import BatchGame
from sevenhues.training.ppo import Trainer

Player = Callable[[Any, Array], Array]  # states and random bits to moves
LONGEST = 2000  # plies, where the rules set no bound


def randomly(twin: BatchGame) -> Player:
    """Return a player of random moves."""
    return lambda states, bits: twin.pick(states, bits)


def plainly(twin: BatchGame) -> Player | None:
    """Return the game's plain sensible player, if it has one."""
    if type(twin).plain is BatchGame.plain:
        return None
    return lambda states, bits: twin.plain(states)


def greedily(trainer: Trainer, weights: Any) -> Player:
    """Return a player that makes the move its network likes best."""

    def play(states: Any, bits: Array) -> Array:
        twin = trainer.twin
        logs = trainer.policy(weights, twin.observe(states, twin.turn(states)), twin.legal(states))
        return jnp.argmax(logs, 1).astype(jnp.int32)

    return play


def share(twin: BatchGame, one: Player, other: Player, games: int, key: Array) -> Array:
    """Return one player's share of wins, in every seat equally often among others of a kind; draws count half."""
    seat = jnp.arange(games) % twin.seats
    first, rest = jax.random.split(key)

    def goes_on(carry: Any) -> Array:
        states, ply, _ = carry
        return jnp.asarray((ply < LONGEST) & ~jnp.all(twin.over(states)))

    def ply(carry: Any) -> Any:
        states, ply, key = carry
        key, now = jax.random.split(key)
        bits = jax.random.bits(now, (games,), jnp.uint32)
        mine = twin.turn(states) == seat
        return twin.step(states, jnp.where(mine, one(states, bits), other(states, bits))), ply + 1, key

    states = twin.init(jax.random.split(first, games))
    states = jax.lax.while_loop(goes_on, ply, (states, jnp.int32(0), rest))[0]
    return jnp.mean(jnp.take_along_axis(twin.values(states), seat[:, None], 1))
