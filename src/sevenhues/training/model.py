"""The network and its optimizer in JAX; nets/network.py runs the same layers in NumPy."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from sevenhues.core.encoder import Feature
from sevenhues.nets import encoding

Weights = dict[str, Array]
IMPOSSIBLE = -1e9
BETA_1, BETA_2, TINY = 0.9, 0.999, 1e-8


def create(key: Array, breadth: int, moves: int, width: int, layers: int) -> Weights:
    """Draw the weights of a new network."""
    keys = jax.random.split(key, layers + 1)
    sizes = [breadth] + [width] * layers
    weights: Weights = {}
    for i in range(layers):
        shrink = 1.0 if i == 0 else 1.0 / np.sqrt(layers)
        weights[f"w{i}"] = jax.random.normal(keys[i], (sizes[i], width)) * shrink * np.sqrt(2.0 / sizes[i])
        weights[f"b{i}"] = jnp.zeros(width)
    weights["out"] = jax.random.normal(keys[-1], (width, moves + 1)) * 0.01 / np.sqrt(width)
    weights["bias"] = jnp.zeros(moves + 1)
    return weights


def apply(weights: Weights, features: tuple[Feature, ...], seen: Array, dtype: Any) -> tuple[Array, Array]:
    """Return logits and values for observations; the layers are computed in `dtype`."""
    layers = sum(name.startswith("w") for name in weights)
    w = {name: array.astype(dtype) for name, array in weights.items()}
    h = encoding.spread(jnp, features, seen).astype(dtype)
    h = jax.nn.relu(h @ w["w0"] + w["b0"])
    for i in range(1, layers):
        h = h + jax.nn.relu(h @ w[f"w{i}"] + w[f"b{i}"])
    both = (h @ w["out"]).astype(jnp.float32) + weights["bias"]
    return both[:, :-1], jnp.tanh(both[:, -1])


def masked(logits: Array, legal: Array) -> Array:
    """Return logarithms of chances, of legal moves alone."""
    return jax.nn.log_softmax(jnp.where(legal, logits, IMPOSSIBLE))


def draw(logs: Array, bits: Array) -> Array:
    """Draw moves by logarithms of their chances, and 32 random bits each."""
    upto = jnp.cumsum(jnp.exp(logs), 1)
    at = (bits >> 8).astype(jnp.float32)[:, None] * np.float32(2.0**-24) * upto[:, -1:]
    chosen = jnp.sum(upto <= at, 1)
    likely = jnp.argmax(logs, 1)
    possible = jnp.take_along_axis(logs, jnp.minimum(chosen, logs.shape[1] - 1)[:, None], 1)[:, 0] > IMPOSSIBLE / 2
    return jnp.where((chosen < logs.shape[1]) & possible, chosen, likely).astype(jnp.int32)


def rest(weights: Weights) -> dict[str, Any]:
    """Return an optimizer (Adam) that has seen nothing."""
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return {"mean": zeros, "square": zeros, "steps": jnp.int32(0)}


def improve(
    weights: Weights, adam: dict[str, Any], slope: Weights, rate: Array, most: float
) -> tuple[Weights, dict[str, Any]]:
    """Make one step of Adam, with the slope cut to a length of `most`."""
    length = jnp.sqrt(sum(jnp.sum(part * part) for part in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda part: part * jnp.minimum(1.0, most / (length + TINY)), slope)
    steps = adam["steps"] + 1
    mean = jax.tree.map(lambda old, new: BETA_1 * old + (1 - BETA_1) * new, adam["mean"], slope)
    square = jax.tree.map(lambda old, new: BETA_2 * old + (1 - BETA_2) * new * new, adam["square"], slope)
    t = steps.astype(jnp.float32)
    pace = rate * jnp.sqrt(1 - BETA_2**t) / (1 - BETA_1**t)
    moved = jax.tree.map(lambda w, m, s: w - pace * m / (jnp.sqrt(s) + TINY), weights, mean, square)
    return moved, {"mean": mean, "square": square, "steps": steps}
