"""Proximal policy optimization (PPO) by self-play.

One network plays every seat, from the observation of that seat. Advantages are estimated along each seat's own moves
(generalized advantage estimation). Against a frozen network the learner has one seat of each game, and it does not
learn from the moves of the others.

With several devices each plays its part of the games, and each minibatch has equally many games of every device. Deals,
random numbers and minibatches do not depend on the number of devices.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from sevenhues.batch.contract import BatchGame
from sevenhues.batch.jax_bits import mix
from sevenhues.core.encoder import Feature
from sevenhues.nets import encoding
from sevenhues.training import model
from sevenhues.training.devices import Devices, constrain_sharding

METRICS = ("value_loss", "entropy", "approx_kl")  # of an iteration
DEAL_SALT_LOW, DEAL_SALT_HIGH = 0x5BD1E995, 0x3C6EF372  # make the words of a new deal from the bits of a move
VALUE_COEF = 0.5
ADVANTAGE_EPSILON = 1e-6


@dataclass(frozen=True)
class Settings:
    """Hyperparameters of a training run."""

    games: int = 2**15  # played in parallel
    rollout_length: int = 32  # plies of each game in one iteration
    minibatches: int = 32  # per epoch
    epochs: int = 1
    width: int = 512
    layers: int = 3
    learning_rate: float = 6e-4  # decays linearly to 0
    entropy_coef: float = 0.02  # decays linearly to a tenth
    gae_lambda: float = 0.95
    clip: float = 0.2
    max_grad_norm: float = 1.0
    ema_decay: float = 0.99  # of the averaged weights, per iteration


class TrainState(NamedTuple):
    """Everything that changes during training."""

    weights: Any
    averaged: Any
    adam: Any
    states: Any
    key: Array


class Trainer:
    """The compiled training step of one game."""

    def __init__(
        self, batch_game: BatchGame, features: tuple[Feature, ...], settings: Settings, dtype: Any, devices: Devices
    ) -> None:
        devices.check_division(settings.games, settings.minibatches)
        self.batch_game = batch_game
        self.features = features
        self.settings = settings
        self.dtype = dtype
        self.devices = devices
        whole: Any = devices.whole
        self.shardings = TrainState(whole, whole, whole, devices.by_game, whole)
        # Any number of iterations: 0 only compiles.
        self.run = jax.jit(self._run, donate_argnums=(0,), out_shardings=(self.shardings, whole))

    def start(self, key: Array, weights: Any = None) -> TrainState:
        """Return the state at the start of a run, with new weights or the given ones."""
        deal_key, weights_key, run_key = jax.random.split(key, 3)
        states = jax.jit(self.batch_game.init)(jax.random.split(deal_key, self.settings.games))
        if weights is None:
            weights = model.init_weights(
                weights_key,
                encoding.input_size(self.features),
                self.batch_game.move_count,
                self.settings.width,
                self.settings.layers,
            )
        return self.place(TrainState(weights, weights, model.init_adam(weights), states, run_key))

    def place(self, state: TrainState) -> TrainState:
        """Return a copy of a state on the devices."""
        # A copy, because `run` donates its argument, and a buffer can be donated only once.
        copy: TrainState = jax.jit(lambda whole: jax.tree.map(jnp.copy, whole), out_shardings=self.shardings)(state)
        return copy

    def _run(
        self, state: TrainState, learning_rate: Array, entropy_coef: Array, frozen: Any, iterations: Array
    ) -> tuple[TrainState, Any]:
        def iterate(_: Array, carry: tuple[TrainState, Any]) -> tuple[TrainState, Any]:
            return self.iterate(carry[0], learning_rate, entropy_coef, frozen)

        metrics = dict.fromkeys(METRICS, jnp.float32(0))
        result: tuple[TrainState, Any] = jax.lax.fori_loop(0, iterations, iterate, (state, metrics))
        return result

    def iterate(
        self, state: TrainState, learning_rate: Array, entropy_coef: Array, frozen: Any
    ) -> tuple[TrainState, Any]:
        """Play a rollout in every game and update the network from it."""
        key, rollout_key = jax.random.split(state.key)
        states, rollout, last_values = self.play(state.weights, state.states, rollout_key, frozen)
        advantages = self.advantages(rollout, last_values)
        weights, adam, metrics = self.update(
            state.weights, state.adam, rollout, advantages, learning_rate, entropy_coef
        )
        decay = self.settings.ema_decay
        averaged = jax.tree.map(lambda old, new: decay * old + (1 - decay) * new, state.averaged, weights)
        return TrainState(weights, averaged, adam, states, key), metrics

    def play(self, weights: Any, states: Any, key: Array, frozen: Any) -> tuple[Any, dict[str, Array], Array]:
        """Play a rollout; return the last states, the rollout, (plies, games), and every seat's value of the states."""
        batch_game = self.batch_game
        # Used against a frozen network. In each minibatch the learner has every seat about equally often.
        learner_seat = jnp.arange(self.settings.games) // self.settings.minibatches % batch_game.seats

        def ply(states: Any, key: Array) -> tuple[Any, dict[str, Array]]:
            return self._play_ply(weights, states, key, frozen, learner_seat)

        states, rollout = jax.lax.scan(ply, states, jax.random.split(key, self.settings.rollout_length))
        seat = batch_game.turn(states)
        value = model.forward(weights, self.features, batch_game.observe(states, seat), self.dtype)[1][:, None]
        acting = seat[:, None] == jnp.arange(batch_game.seats)
        return states, rollout, jnp.where(acting, value, -value / (batch_game.seats - 1))

    def _play_ply(
        self, weights: Any, states: Any, key: Array, frozen: Any, learner_seat: Array
    ) -> tuple[Any, dict[str, Array]]:
        """Make a move in every game and deal finished games anew; return the states and what was played."""
        batch_game = self.batch_game
        seat = batch_game.turn(states)
        observations = batch_game.observe(states, seat)
        legal = batch_game.legal(states)
        logits, value = model.forward(weights, self.features, observations, self.dtype)
        log_probs = model.masked_log_probs(logits, legal)
        acting_log_probs = log_probs
        if frozen is not None:
            own_turn = (seat == learner_seat)[:, None]
            acting_log_probs = jnp.where(own_turn, log_probs, self.policy(frozen, observations, legal))
        bits = jax.random.bits(key, (self.settings.games,), jnp.uint32)
        move = model.sample_moves(acting_log_probs, bits)
        after = batch_game.step(states, move)
        over = batch_game.over(after)
        rewards = (batch_game.values(after) * batch_game.seats - 1.0) / (batch_game.seats - 1.0)
        dealt = batch_game.deal(mix(bits ^ jnp.uint32(DEAL_SALT_LOW)), mix(bits + jnp.uint32(DEAL_SALT_HIGH)))
        played = {
            "observations": observations,
            "legal": legal,
            "move": move,
            "log_prob": jnp.take_along_axis(log_probs, move[:, None], 1)[:, 0],
            "value": value,
            "seat": seat,
            "over": over,
            "rewards": jnp.where(over[:, None], rewards, 0.0),
            "learnt": jnp.ones_like(over) if frozen is None else seat == learner_seat,
        }
        return replace_finished(over, dealt, after), played

    def policy(self, weights: Any, observations: Array, legal: Array) -> Array:
        """Return a network's log probabilities over the legal moves."""
        return model.masked_log_probs(model.forward(weights, self.features, observations, self.dtype)[0], legal)

    def advantages(self, rollout: dict[str, Array], last_values: Array) -> Array:
        """Return the advantage of each move, (plies, games)."""
        seats = jnp.arange(self.batch_game.seats)

        def backward(carry: tuple[Array, Array, Array], played: dict[str, Array]) -> tuple[Any, Array]:
            value, advantage, rewards = carry  # of each seat, from its next move on
            over = played["over"][:, None]
            value, advantage = jnp.where(over, 0.0, value), jnp.where(over, 0.0, advantage)
            rewards = jnp.where(over, played["rewards"], rewards)
            acts = (played["seat"][:, None] == seats) & played["learnt"][:, None]
            estimate = rewards + value - played["value"][:, None] + self.settings.gae_lambda * advantage
            own_estimate = jnp.sum(jnp.where(acts, estimate, 0.0), 1)
            carry = (
                jnp.where(acts, played["value"][:, None], value),
                jnp.where(acts, estimate, advantage),
                jnp.where(acts, 0.0, rewards),
            )
            return carry, own_estimate

        zero = jnp.zeros_like(last_values)
        return jax.lax.scan(backward, (last_values, zero, zero), rollout, reverse=True)[1]

    def update(
        self,
        weights: Any,
        adam: Any,
        rollout: dict[str, Array],
        advantages: Array,
        learning_rate: Array,
        entropy_coef: Array,
    ) -> tuple[Any, Any, dict[str, Array]]:
        """Update the network from a rollout, one minibatch of games at a time."""
        names = ("observations", "legal", "move", "log_prob", "value", "learnt")
        data = {**{name: rollout[name] for name in names}, "advantage": advantages}
        minibatches = self.settings.minibatches

        def split(array: Array) -> Array:
            plies, games = array.shape[:2]
            # Each minibatch has every n-th game, so that no game moves to another device.
            whole = array.reshape(plies, games // minibatches, minibatches, *array.shape[2:])
            minibatch_first = jnp.swapaxes(whole, 0, 2).reshape(
                minibatches, games // minibatches * plies, *array.shape[2:]
            )
            sharded: Array = constrain_sharding(minibatch_first, self.devices.minibatches)
            return sharded

        data = {name: split(array) for name, array in data.items()}

        def step(carry: Any, minibatch: dict[str, Array]) -> tuple[Any, dict[str, Array]]:
            weights, adam = carry
            gradient, metrics = jax.grad(self.loss, has_aux=True)(weights, minibatch, entropy_coef)
            return model.adam_step(weights, adam, gradient, learning_rate, self.settings.max_grad_norm), metrics

        def epoch(carry: Any, _: None) -> tuple[Any, dict[str, Array]]:
            return jax.lax.scan(step, carry, data)

        (weights, adam), metrics = jax.lax.scan(epoch, (weights, adam), None, self.settings.epochs)
        return weights, adam, jax.tree.map(jnp.mean, metrics)

    def loss(self, weights: Any, minibatch: dict[str, Array], entropy_coef: Array) -> tuple[Array, dict[str, Array]]:
        """Return the loss of a minibatch, and its metrics."""
        logits, value = model.forward(weights, self.features, minibatch["observations"], self.dtype)
        log_probs = model.masked_log_probs(logits, minibatch["legal"])
        log_prob = jnp.take_along_axis(log_probs, minibatch["move"][:, None], 1)[:, 0]
        share = minibatch["learnt"] / jnp.maximum(jnp.sum(minibatch["learnt"]), 1)
        mean = jnp.sum(share * minibatch["advantage"])
        deviation = jnp.sqrt(jnp.sum(share * (minibatch["advantage"] - mean) ** 2)) + ADVANTAGE_EPSILON
        advantage = (minibatch["advantage"] - mean) / deviation
        ratio = jnp.exp(log_prob - minibatch["log_prob"])
        clip = self.settings.clip
        surrogate = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - clip, 1 + clip) * advantage)
        value_loss = (value - (minibatch["value"] + minibatch["advantage"])) ** 2
        entropy = -jnp.sum(jnp.where(minibatch["legal"], jnp.exp(log_probs) * log_probs, 0.0), 1)
        values = (value_loss, entropy, minibatch["log_prob"] - log_prob)
        metrics = {name: jnp.sum(share * value) for name, value in zip(METRICS, values, strict=True)}
        return jnp.sum(share * (VALUE_COEF * value_loss - surrogate - entropy_coef * entropy)), metrics


def replace_finished(over: Array, dealt: Any, after: Any) -> Any:
    """Replace the states of finished games by newly dealt ones."""

    def choose(new: Array, old: Array) -> Array:
        return jnp.where(over.reshape(over.shape + (1,) * (old.ndim - 1)), new, old)

    return jax.tree.map(choose, dealt, after)
