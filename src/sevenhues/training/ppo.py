"""Proximal policy optimization by self-play: play on in many games, judge every move, improve the network.

Every seat is played by the same network, which is told what that seat knows. A move is judged by what its seat came to
from its next move on (generalized advantage estimation along each seat's own moves). Against a frozen network the
learner has one seat of each game, and the moves of the others teach nothing.
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

TOLD = ("error", "entropy", "moved")  # of an iteration: how wrong values were, how varied play is, how far it changed


@dataclass(frozen=True)
class Settings:
    """How to train."""

    games: int = 2**15  # at once
    plies: int = 32  # of each between two improvements
    parts: int = 32  # into which those are cut, an improvement each
    epochs: int = 1
    width: int = 512
    layers: int = 3
    rate: float = 6e-4  # of learning, falling to nothing
    entropy: float = 0.02  # how much it is urged to vary its play, falling to a tenth
    trace: float = 0.95  # how far ahead a move is judged by what came of it
    clip: float = 0.2
    steep: float = 1.0  # the longest slope
    average: float = 0.99  # how slowly the averaged network follows, an iteration


class Learner(NamedTuple):
    """All that changes while training."""

    weights: Any
    averaged: Any
    adam: Any
    states: Any
    key: Array


class Trainer:
    """One game's training, compiled."""

    def __init__(self, twin: BatchGame, features: tuple[Feature, ...], settings: Settings, dtype: Any) -> None:
        self.twin = twin
        self.features = features
        self.settings = settings
        self.dtype = dtype
        self.run = jax.jit(self._run, donate_argnums=(0,))  # iterations, any number: 0 just compiles

    def start(self, key: Array, weights: Any = None) -> Learner:
        """Return a learner at its beginning, or with weights from before."""
        one, two, three = jax.random.split(key, 3)
        states = jax.jit(self.twin.init)(jax.random.split(one, self.settings.games))
        if weights is None:
            breadth = encoding.breadth(self.features)
            weights = model.create(two, breadth, self.twin.move_count, self.settings.width, self.settings.layers)
        # Copies, as what is passed on to `run` is used up, and nothing may be used up twice.
        learner: Learner = jax.tree.map(jnp.copy, Learner(weights, weights, model.rest(weights), states, three))
        return learner

    def _run(self, learner: Learner, rate: Array, entropy: Array, frozen: Any, times: Array) -> tuple[Learner, Any]:
        def iterate(_: Array, carry: tuple[Learner, Any]) -> tuple[Learner, Any]:
            return self.iterate(carry[0], rate, entropy, frozen)

        told = dict.fromkeys(TOLD, jnp.float32(0))
        done: tuple[Learner, Any] = jax.lax.fori_loop(0, times, iterate, (learner, told))
        return done

    def iterate(self, learner: Learner, rate: Array, entropy: Array, frozen: Any) -> tuple[Learner, Any]:
        """Play on a little in every game, then learn from it."""
        key, fresh = jax.random.split(learner.key)
        states, moves, ahead = self.play(learner.weights, learner.states, fresh, frozen)
        gain = self.judge(moves, ahead)
        weights, adam, told = self.learn(learner.weights, learner.adam, moves, gain, rate, entropy)
        slow = self.settings.average
        averaged = jax.tree.map(lambda old, new: slow * old + (1 - slow) * new, learner.averaged, weights)
        return Learner(weights, averaged, adam, states, key), told

    def play(self, weights: Any, states: Any, key: Array, frozen: Any) -> tuple[Any, dict[str, Array], Array]:
        """Play every game on a little; return where it stands, what was played, and what it is worth to each seat."""
        twin, games = self.twin, self.settings.games
        mine = jnp.arange(games) % twin.seats  # the learner's seat where others are frozen

        def ply(states: Any, key: Array) -> tuple[Any, dict[str, Array]]:
            seat = twin.turn(states)
            seen = twin.observe(states, seat)
            legal = twin.legal(states)
            logits, value = model.apply(weights, self.features, seen, self.dtype)
            logs = model.masked(logits, legal)
            acts = logs
            if frozen is not None:
                acts = jnp.where((seat == mine)[:, None], logs, self.policy(frozen, seen, legal))
            bits = jax.random.bits(key, (games,), jnp.uint32)
            move = model.draw(acts, bits)
            after = twin.step(states, move)
            over = twin.over(after)
            gained = (twin.values(after) * twin.seats - 1.0) / (twin.seats - 1.0)
            dealt = twin.deal(mix(bits ^ jnp.uint32(0x5BD1E995)), mix(bits + jnp.uint32(0x3C6EF372)))
            played = {
                "seen": seen,
                "legal": legal,
                "move": move,
                "log": jnp.take_along_axis(logs, move[:, None], 1)[:, 0],
                "value": value,
                "seat": seat,
                "over": over,
                "gained": jnp.where(over[:, None], gained, 0.0),
                "mine": jnp.ones_like(over) if frozen is None else seat == mine,
            }
            return keep(over, dealt, after), played

        states, moves = jax.lax.scan(ply, states, jax.random.split(key, self.settings.plies))
        seat = twin.turn(states)
        value = model.apply(weights, self.features, twin.observe(states, seat), self.dtype)[1][:, None]
        acting = seat[:, None] == jnp.arange(twin.seats)
        return states, moves, jnp.where(acting, value, -value / (twin.seats - 1))

    def policy(self, weights: Any, seen: Array, legal: Array) -> Array:
        """Return the logarithms of a network's chances to play each move."""
        return model.masked(model.apply(weights, self.features, seen, self.dtype)[0], legal)

    def judge(self, moves: dict[str, Array], ahead: Array) -> Array:
        """Tell by how much each move did better than expected, (plies, games)."""
        seats = jnp.arange(self.twin.seats)

        def back(carry: tuple[Array, Array, Array], moves: dict[str, Array]) -> tuple[Any, Array]:
            value, gain, gained = carry  # of each seat, from its next move on
            over = moves["over"][:, None]
            value, gain = jnp.where(over, 0.0, value), jnp.where(over, 0.0, gain)
            gained = jnp.where(over, moves["gained"], gained)
            acts = (moves["seat"][:, None] == seats) & moves["mine"][:, None]
            now = gained + value - moves["value"][:, None] + self.settings.trace * gain
            told = jnp.sum(jnp.where(acts, now, 0.0), 1)
            carry = (
                jnp.where(acts, moves["value"][:, None], value),
                jnp.where(acts, now, gain),
                jnp.where(acts, 0.0, gained),
            )
            return carry, told

        zero = jnp.zeros_like(ahead)
        return jax.lax.scan(back, (ahead, zero, zero), moves, reverse=True)[1]

    def learn(
        self, weights: Any, adam: Any, moves: dict[str, Array], gain: Array, rate: Array, entropy: Array
    ) -> tuple[Any, Any, dict[str, Array]]:
        """Improve the network by what was played, some games at a time."""
        names = ("seen", "legal", "move", "log", "value", "mine")
        data = {**{name: moves[name] for name in names}, "gain": gain}
        parts = self.settings.parts

        def cut(array: Array) -> Array:
            plies, games = array.shape[:2]
            whole = array.reshape(plies, parts, games // parts, *array.shape[2:])
            return jnp.swapaxes(whole, 0, 1).reshape(parts, plies * games // parts, *array.shape[2:])

        data = {name: cut(array) for name, array in data.items()}

        def step(carry: Any, part: dict[str, Array]) -> tuple[Any, dict[str, Array]]:
            weights, adam = carry
            slope, told = jax.grad(self.loss, has_aux=True)(weights, part, entropy)
            return model.improve(weights, adam, slope, rate, self.settings.steep), told

        def epoch(carry: Any, _: None) -> tuple[Any, dict[str, Array]]:
            return jax.lax.scan(step, carry, data)

        (weights, adam), told = jax.lax.scan(epoch, (weights, adam), None, self.settings.epochs)
        return weights, adam, jax.tree.map(jnp.mean, told)

    def loss(self, weights: Any, part: dict[str, Array], entropy: Array) -> tuple[Array, dict[str, Array]]:
        """Return what is to be made small, and what to tell of it."""
        logits, value = model.apply(weights, self.features, part["seen"], self.dtype)
        logs = model.masked(logits, part["legal"])
        log = jnp.take_along_axis(logs, part["move"][:, None], 1)[:, 0]
        share = part["mine"] / jnp.maximum(jnp.sum(part["mine"]), 1)
        centre = jnp.sum(share * part["gain"])
        spread = jnp.sqrt(jnp.sum(share * (part["gain"] - centre) ** 2)) + 1e-6
        gain = (part["gain"] - centre) / spread
        ratio = jnp.exp(log - part["log"])
        clip = self.settings.clip
        better = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - clip, 1 + clip) * gain)
        error = (value - (part["value"] + part["gain"])) ** 2
        variety = -jnp.sum(jnp.where(part["legal"], jnp.exp(logs) * logs, 0.0), 1)
        figures = (error, variety, part["log"] - log)
        told = {name: jnp.sum(share * figure) for name, figure in zip(TOLD, figures, strict=True)}
        return jnp.sum(share * (0.5 * error - better - entropy * variety)), told


def keep(over: Array, dealt: Any, after: Any) -> Any:
    """Take the newly dealt game where the old one is over."""

    def choose(new: Array, old: Array) -> Array:
        return jnp.where(over.reshape(over.shape + (1,) * (old.ndim - 1)), new, old)

    return jax.tree.map(choose, dealt, after)
