"""The network and its optimizer in JAX; nets/network.py runs the same layers in NumPy."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from sevenhues.core.encoder import Feature
from sevenhues.nets import encoding

Weights = dict[str, Array]
MASKED_LOGIT = -1e9
OUTPUT_INIT_SCALE = 0.01
ADAM_BETA_1, ADAM_BETA_2, ADAM_EPSILON = 0.9, 0.999, 1e-8


def init_weights(key: Array, input_size: int, moves: int, width: int, layers: int) -> Weights:
    """Draw the weights of a new network."""
    keys = jax.random.split(key, layers + 1)
    sizes = [input_size] + [width] * layers
    weights: Weights = {}
    for i in range(layers):
        shrink = 1.0 if i == 0 else 1.0 / np.sqrt(layers)
        weights[f"w{i}"] = jax.random.normal(keys[i], (sizes[i], width)) * shrink * np.sqrt(2.0 / sizes[i])
        weights[f"b{i}"] = jnp.zeros(width)
    weights["out"] = jax.random.normal(keys[-1], (width, moves + 1)) * OUTPUT_INIT_SCALE / np.sqrt(width)
    weights["bias"] = jnp.zeros(moves + 1)
    return weights


def forward(weights: Weights, features: tuple[Feature, ...], observations: Array, dtype: Any) -> tuple[Array, Array]:
    """Return logits and values for observations; the layers are computed in `dtype`."""
    layers = sum(name.startswith("w") for name in weights)
    w = {name: array.astype(dtype) for name, array in weights.items()}
    h = encoding.encode_inputs(jnp, features, observations).astype(dtype)
    h = jax.nn.relu(h @ w["w0"] + w["b0"])
    for i in range(1, layers):
        h = h + jax.nn.relu(h @ w[f"w{i}"] + w[f"b{i}"])
    both = (h @ w["out"]).astype(jnp.float32) + weights["bias"]
    return both[:, :-1], jnp.tanh(both[:, -1])


def masked_log_probs(logits: Array, legal: Array) -> Array:
    """Return log probabilities over the legal moves."""
    return jax.nn.log_softmax(jnp.where(legal, logits, MASKED_LOGIT))


def sample_moves(log_probs: Array, bits: Array) -> Array:
    """Sample a move for each row, from its log probabilities and 32 random bits."""
    cumulative = jnp.cumsum(jnp.exp(log_probs), 1)
    threshold = (bits >> 8).astype(jnp.float32)[:, None] * np.float32(2.0**-24) * cumulative[:, -1:]
    moves = log_probs.shape[1]
    sampled = jnp.sum(cumulative <= threshold, 1)
    fallback = jnp.argmax(log_probs, 1)
    sampled_log_prob = jnp.take_along_axis(log_probs, jnp.minimum(sampled, moves - 1)[:, None], 1)[:, 0]
    valid = (sampled < moves) & (sampled_log_prob > MASKED_LOGIT / 2)
    return jnp.where(valid, sampled, fallback).astype(jnp.int32)


def init_adam(weights: Weights) -> dict[str, Any]:
    """Return the state of the Adam optimizer before its first step."""
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return {"mean": zeros, "square": zeros, "steps": jnp.int32(0)}


def adam_step(
    weights: Weights, adam: dict[str, Any], gradient: Weights, learning_rate: Array, max_grad_norm: float
) -> tuple[Weights, dict[str, Any]]:
    """Make one step of Adam, with the gradient clipped to `max_grad_norm`."""
    norm = jnp.sqrt(sum(jnp.sum(part * part) for part in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda part: part * jnp.minimum(1.0, max_grad_norm / (norm + ADAM_EPSILON)), gradient)
    steps = adam["steps"] + 1
    mean = jax.tree.map(lambda old, new: ADAM_BETA_1 * old + (1 - ADAM_BETA_1) * new, adam["mean"], gradient)
    square = jax.tree.map(lambda old, new: ADAM_BETA_2 * old + (1 - ADAM_BETA_2) * new * new, adam["square"], gradient)
    t = steps.astype(jnp.float32)
    step_size = learning_rate * jnp.sqrt(1 - ADAM_BETA_2**t) / (1 - ADAM_BETA_1**t)
    moved = jax.tree.map(lambda w, m, s: w - step_size * m / (jnp.sqrt(s) + ADAM_EPSILON), weights, mean, square)
    return moved, {"mean": mean, "square": square, "steps": steps}
