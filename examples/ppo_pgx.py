"""PPO in JAX learns Rainbow by self-play on the Pgx environment, in the style of PureJaxRL.

    python examples/ppo_pgx.py --steps 500000

Games, rollouts and updates are one compiled function, which also runs on a GPU. One network plays both seats. A
position is worth to one player what it is not worth to the other, so values change their sign with the player to act.
"""

import argparse
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.example_libraries import optimizers
from pgx.experimental import auto_reset

from sevenhues.adapters import pgx

ENV = pgx.make("rainbow")
STEP = auto_reset(ENV.step, ENV.init)
GAMES_AT_ONCE, ROLLOUT_LENGTH = 128, 64
EPOCHS, MINIBATCHES = 4, 4
WIDTH = 128
GAE_LAMBDA = 0.95
CLIP, ENTROPY_COEF, VALUE_COEF = 0.2, 0.01, 0.5
ADAM = optimizers.adam(2e-3)
MASKED_LOGIT = -1e9
CURVE_POINTS = 8

Batch = dict[str, Array]
SIZES = [feature.high + 1 for feature in ENV.layout for _ in range(feature.size)]  # values of each number
# The one-hot code of an observation has a place for each value of each number.
NUMBERS = np.repeat(np.arange(len(SIZES)), SIZES)
VALUES = np.concatenate([np.arange(size) for size in SIZES])


def init_weights(key: Array) -> Batch:
    keys = jax.random.split(key, 3)
    actions = ENV.num_actions
    return {
        "first": jax.random.normal(keys[0], (len(VALUES), WIDTH)) * len(SIZES) ** -0.5,
        "second": jax.random.normal(keys[1], (WIDTH, WIDTH)) * (2 / WIDTH) ** 0.5,
        "last": jax.random.normal(keys[2], (WIDTH, actions + 1)) * 0.01,
    }


def network(weights: Batch, observations: Array, masks: Array) -> tuple[Array, Array]:
    """Return log probabilities of actions, and values for the player to act."""
    one_hot = (observations[..., NUMBERS] == VALUES).astype(jnp.float32)
    hidden = jax.nn.relu(one_hot @ weights["first"])
    outputs = jax.nn.relu(hidden @ weights["second"]) @ weights["last"]
    return jax.nn.log_softmax(jnp.where(masks, outputs[..., :-1], MASKED_LOGIT)), outputs[..., -1]


def play_rollout(weights: Batch, states: Any, key: Array) -> tuple[Any, Batch]:
    """Play a few steps of every game; return the states and what was played, (steps, games)."""

    def ply(states: Any, key: Array) -> tuple[Any, Batch]:
        log_probs, values = network(weights, states.observation, states.legal_action_mask)
        actions = jax.random.categorical(key, log_probs)
        after = jax.vmap(STEP)(states, actions, jax.random.split(key, GAMES_AT_ONCE))
        return after, {
            "observations": states.observation,
            "masks": states.legal_action_mask,
            "actions": actions,
            "log_probs": log_of(log_probs, actions),
            "values": values,
            "rewards": jnp.take_along_axis(after.rewards, states.current_player[:, None], 1)[:, 0],
            "ends": after.terminated,
            "same_player": after.current_player == states.current_player,
        }

    return jax.lax.scan(ply, states, jax.random.split(key, ROLLOUT_LENGTH))


def log_of(log_probs: Array, actions: Array) -> Array:
    return jnp.take_along_axis(log_probs, actions[:, None], 1)[:, 0]


def advantages_of(rollout: Batch, last_values: Array) -> Array:
    """Return generalized advantage estimates, (steps, games), each for the player who acted."""

    def backward(carry: tuple[Array, Array], step: Batch) -> tuple[Any, Array]:
        next_values, advantages = carry
        sign = jnp.where(step["ends"], 0.0, jnp.where(step["same_player"], 1.0, -1.0))
        advantages = step["rewards"] + sign * (next_values + GAE_LAMBDA * advantages) - step["values"]
        return (step["values"], advantages), advantages

    return jax.lax.scan(backward, (last_values, jnp.zeros_like(last_values)), rollout, reverse=True)[1]


def loss(weights: Batch, batch: Batch) -> Array:
    """Return PPO's loss: clipped policy gradient, value error and entropy."""
    log_probs, values = network(weights, batch["observations"], batch["masks"])
    ratio = jnp.exp(log_of(log_probs, batch["actions"]) - batch["log_probs"])
    advantages = (batch["advantages"] - batch["advantages"].mean()) / (batch["advantages"].std() + 1e-8)
    gain = jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
    entropy = -(jnp.exp(log_probs) * log_probs * batch["masks"]).sum(1)
    value_error = (values - batch["values"] - batch["advantages"]) ** 2
    return (VALUE_COEF * value_error - gain - ENTROPY_COEF * entropy).mean()


@partial(jax.jit, static_argnums=3)
def train(adam: Any, states: Any, key: Array, iterations: int) -> tuple[Any, Any]:
    """Play and learn for a number of iterations."""

    def update(adam: Any, batch: Batch) -> tuple[Any, None]:
        return ADAM.update_fn(0, jax.grad(loss)(ADAM.params_fn(adam), batch), adam), None

    def iterate(carry: tuple[Any, Any], key: Array) -> tuple[Any, None]:
        adam, states = carry
        weights = ADAM.params_fn(adam)
        states, rollout = play_rollout(weights, states, key)
        last_values = network(weights, states.observation, states.legal_action_mask)[1]
        rollout["advantages"] = advantages_of(rollout, last_values)
        size = GAMES_AT_ONCE * ROLLOUT_LENGTH
        orders = jax.vmap(lambda each: jax.random.permutation(each, size))(jax.random.split(key, EPOCHS))
        rows = orders.reshape(EPOCHS * MINIBATCHES, -1)
        flat = {name: array.reshape(size, *array.shape[2:]) for name, array in rollout.items()}
        adam, _ = jax.lax.scan(lambda adam, some: update(adam, {n: a[some] for n, a in flat.items()}), adam, rows)
        return (adam, states), None

    return jax.lax.scan(iterate, (adam, states), jax.random.split(key, iterations))[0]


@partial(jax.jit, static_argnums=1)
def win_share(weights: Batch, games: int, key: Array) -> Array:
    """Return the share of wins against random moves; the network has each seat in half of the games."""
    seat = jnp.arange(games) % 2

    def ply(carry: Any) -> Any:
        states, totals, key = carry
        key, move_key = jax.random.split(key)
        log_probs, _ = network(weights, states.observation, states.legal_action_mask)
        random = jnp.where(states.legal_action_mask, 0.0, MASKED_LOGIT)
        own_turn = (states.current_player == seat)[:, None]
        states = jax.vmap(ENV.step)(states, jax.random.categorical(move_key, jnp.where(own_turn, log_probs, random)))
        return states, totals + jnp.take_along_axis(states.rewards, seat[:, None], 1)[:, 0], key

    start = jax.vmap(ENV.init)(jax.random.split(key, games)), jnp.zeros(games), key
    totals = jax.lax.while_loop(lambda carry: ~carry[0].terminated.all(), ply, start)[1]
    return (1 + totals.mean()) / 2


def learn(steps: int, games: int, seed: int) -> list[float]:
    """Train, and print the share of wins before, during and after the training; return the shares."""
    weights_key, deal_key, match_key, *keys = jax.random.split(jax.random.key(seed), 3 + CURVE_POINTS)
    adam = ADAM.init_fn(init_weights(weights_key))
    states = jax.jit(jax.vmap(ENV.init))(jax.random.split(deal_key, GAMES_AT_ONCE))
    iterations = max(1, steps // (CURVE_POINTS * GAMES_AT_ONCE * ROLLOUT_LENGTH))
    shares = [float(win_share(ADAM.params_fn(adam), games, match_key))]
    for number, key in enumerate(keys, 1):
        adam, states = train(adam, states, key, iterations)
        shares.append(float(win_share(ADAM.params_fn(adam), games, match_key)))
        played = number * iterations * GAMES_AT_ONCE * ROLLOUT_LENGTH
        print(f"{played:8} moves of self-play: {shares[-1]:.0%} of {games} games won against random moves")
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=500_000, help="moves of self-play")
    parser.add_argument("--games", type=int, default=400, help="games against random moves at each point of the curve")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    shares = learn(args.steps, args.games, args.seed)
    print(f"Before the training the network won {shares[0]:.0%}, and after it {shares[-1]:.0%}.")


if __name__ == "__main__":
    main()
