"""Evaluation of a network against fixed opponents: whole games, played in JAX."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array

from sevenhues.batch.contract import BatchGame
from sevenhues.training.devices import Devices, constrain_sharding
from sevenhues.training.ppo import Trainer

Player = Callable[[Any, Array], Array]  # states and random bits to moves
MAX_PLIES = 2000  # of a game that the rules do not bound


def random_player(batch_game: BatchGame) -> Player:
    """Return a player of uniformly random moves."""
    return lambda states, bits: batch_game.pick(states, bits)


def plain_player(batch_game: BatchGame) -> Player | None:
    """Return the game's simple rule-based player; None if it has none."""
    if type(batch_game).plain is BatchGame.plain:
        return None
    return lambda states, bits: batch_game.plain(states)


def greedy_player(trainer: Trainer, weights: Any) -> Player:
    """Return a player that makes the move of a network's highest probability."""

    def play(states: Any, bits: Array) -> Array:
        batch_game = trainer.batch_game
        observations = batch_game.observe(states, batch_game.turn(states))
        log_probs = trainer.policy(weights, observations, batch_game.legal(states))
        return jnp.argmax(log_probs, 1).astype(jnp.int32)

    return play


def win_share(
    batch_game: BatchGame, player: Player, opponent: Player, games: int, key: Array, devices: Devices
) -> Array:
    """Return a player's share of wins; draws count half.

    The player has every seat equally often, and the opponent has all others. The number of games is rounded up so that
    the devices have equally many.
    """
    games = devices.round_up(games)
    seat = jnp.arange(games) % batch_game.seats
    deal_key, play_key = jax.random.split(key)

    def is_unfinished(carry: Any) -> Array:
        states, ply, _ = carry
        return jnp.asarray((ply < MAX_PLIES) & ~jnp.all(batch_game.over(states)))

    def play_ply(carry: Any) -> Any:
        states, ply, key = carry
        key, bits_key = jax.random.split(key)
        bits = jax.random.bits(bits_key, (games,), jnp.uint32)
        own_turn = batch_game.turn(states) == seat
        moves = jnp.where(own_turn, player(states, bits), opponent(states, bits))
        return batch_game.step(states, moves), ply + 1, key

    states = constrain_sharding(batch_game.init(jax.random.split(deal_key, games)), devices.by_game)
    states = jax.lax.while_loop(is_unfinished, play_ply, (states, jnp.int32(0), play_key))[0]
    return jnp.mean(jnp.take_along_axis(batch_game.values(states), seat[:, None], 1))
