"""PPO in JAX learns Rainbow against random moves, over a vector environment, in the style of CleanRL.

    python examples/ppo_vector.py --steps 100000

The environment steps all games in one call. `infos["action_mask"]` marks the legal actions of each game; the network
gives all others no probability.
"""

import argparse
from typing import Any

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.example_libraries import optimizers

GAME = "sevenhues.adapters.gymnasium:sevenhues/Rainbow-v0"
GAMES_AT_ONCE, ROLLOUT_LENGTH = 64, 32
EPOCHS, MINIBATCHES = 4, 4
CURVE_INTERVAL = 8  # rollouts between two points of the learning curve
WIDTH = 128
DISCOUNT, GAE_LAMBDA = 0.99, 0.9
CLIP, ENTROPY_COEF, VALUE_COEF = 0.2, 0.01, 0.5
ADAM = optimizers.adam(2e-3)
MASKED_LOGIT = -1e9


def init_weights(key: Array, sizes: Any, actions: int) -> dict[str, Array]:
    keys = jax.random.split(key, 3)
    return {
        "first": jax.random.normal(keys[0], (int(sizes.sum()), WIDTH)) * len(sizes) ** -0.5,
        "second": jax.random.normal(keys[1], (WIDTH, WIDTH)) * (2 / WIDTH) ** 0.5,
        "last": jax.random.normal(keys[2], (WIDTH, actions + 1)) * 0.01,
    }


def network(weights: dict[str, Array], ones: Array, masks: Array) -> tuple[Array, Array]:
    """Return log probabilities of actions, and values. `ones` are the places of the ones in one-hot observations."""
    hidden = jax.nn.relu(weights["first"][ones].sum(-2))  # the product of the one-hot code with the matrix
    outputs = jax.nn.relu(hidden @ weights["second"]) @ weights["last"]
    return jax.nn.log_softmax(jnp.where(masks, outputs[..., :-1], MASKED_LOGIT)), outputs[..., -1]


@jax.jit
def act(weights: dict[str, Array], ones: Array, masks: Array, key: Array) -> tuple[Array, Array, Array]:
    """Return actions, their log probabilities, and values."""
    log_probs, values = network(weights, ones, masks)
    actions = jax.random.categorical(key, log_probs)
    return actions, jnp.take_along_axis(log_probs, actions[:, None], 1)[:, 0], values


def loss(weights: dict[str, Array], batch: dict[str, Array]) -> Array:
    """Return PPO's loss: clipped policy gradient, value error and entropy."""
    log_probs, values = network(weights, batch["ones"], batch["masks"])
    ratio = jnp.exp(jnp.take_along_axis(log_probs, batch["actions"][:, None], 1)[:, 0] - batch["log_probs"])
    advantages = (batch["advantages"] - batch["advantages"].mean()) / (batch["advantages"].std() + 1e-8)
    gain = jnp.minimum(ratio * advantages, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantages)
    entropy = -(jnp.exp(log_probs) * log_probs * batch["masks"]).sum(1)
    return (VALUE_COEF * (values - batch["returns"]) ** 2 - gain - ENTROPY_COEF * entropy).mean()


@jax.jit
def update(adam: Any, rollout: dict[str, Array], key: Array) -> Any:
    """Make a few epochs of gradient steps on a rollout."""
    size = GAMES_AT_ONCE * ROLLOUT_LENGTH
    flat = {name: array.reshape(size, *array.shape[2:]) for name, array in rollout.items()}

    def step(adam: Any, rows: Array) -> tuple[Any, None]:
        gradient = jax.grad(loss)(ADAM.params_fn(adam), {name: array[rows] for name, array in flat.items()})
        return ADAM.update_fn(0, gradient, adam), None

    orders = [jax.random.permutation(each, size).reshape(MINIBATCHES, -1) for each in jax.random.split(key, EPOCHS)]
    return jax.lax.scan(step, adam, jnp.concatenate(orders))[0]


def advantages_of(rewards: Any, values: Any, ends: Any, last_values: Any) -> Any:
    """Return generalized advantage estimates, (steps, games)."""
    advantages = np.zeros_like(values)
    advantage, next_values = np.zeros_like(last_values), last_values
    for i in range(len(rewards) - 1, -1, -1):
        going_on = 1 - ends[i]
        error = rewards[i] + DISCOUNT * going_on * next_values - values[i]
        advantages[i] = advantage = error + DISCOUNT * GAE_LAMBDA * going_on * advantage
        next_values = values[i]
    return advantages


class Learner:
    """The network, its optimizer and the random generator."""

    def __init__(self, seed: int) -> None:
        self.key = jax.random.key(seed)
        env = gymnasium.make(GAME)
        space: Any = env.observation_space
        actions: Any = env.action_space
        sizes = space.high.astype(int) + 1
        self.starts = np.cumsum(sizes) - sizes  # of the one-hot code of each number
        self.adam = ADAM.init_fn(init_weights(self.next_key(), sizes, int(actions.n)))

    def next_key(self) -> Array:
        keys: Array = jax.random.split(self.key)
        self.key = keys[0]
        return keys[1]

    def act(self, ones: Any, masks: Any) -> tuple[Any, Any, Any]:
        actions, log_probs, values = act(ADAM.params_fn(self.adam), ones, masks, self.next_key())
        return np.asarray(actions), np.asarray(log_probs), np.asarray(values)


def train(learner: Learner, steps: int, seed: int) -> None:
    """Train for a number of steps, and print the learning curve."""
    envs = gymnasium.make_vec(GAME, num_envs=GAMES_AT_ONCE, autoreset_mode="SameStep", reward="shaped")
    observations, infos = envs.reset(seed=seed)
    finished, totals = [], np.zeros(GAMES_AT_ONCE)  # total rewards of games
    for number in range(steps // (GAMES_AT_ONCE * ROLLOUT_LENGTH)):
        played = []
        for _ in range(ROLLOUT_LENGTH):
            ones, masks = observations + learner.starts, infos["action_mask"] > 0
            actions, log_probs, values = learner.act(ones, masks)
            observations, rewards, terminated, truncated, infos = envs.step(actions)
            ended = terminated | truncated
            played.append((ones, masks, actions, log_probs, values, rewards.astype(np.float32), ended))
            totals += rewards
            finished += totals[ended].tolist()
            totals[ended] = 0
        names = ("ones", "masks", "actions", "log_probs", "values", "rewards", "ends")
        rollout = dict(zip(names, map(np.array, zip(*played, strict=True)), strict=True))
        _, _, last_values = learner.act(observations + learner.starts, infos["action_mask"] > 0)
        advantages = advantages_of(rollout.pop("rewards"), rollout["values"], rollout.pop("ends"), last_values)
        rollout |= {"advantages": advantages, "returns": advantages + rollout.pop("values")}
        learner.adam = update(learner.adam, rollout, learner.next_key())
        if number % CURVE_INTERVAL == CURVE_INTERVAL - 1:
            print(f"{(number + 1) * GAMES_AT_ONCE * ROLLOUT_LENGTH:8} steps  mean reward {np.mean(finished):+.2f}")
            finished = []


def win_share(learner: Learner, games: int, seed: int) -> float:
    """Return the share of wins against random moves, half of the games from each seat; draws count half."""
    total = 0.0
    for seat in (0, 1):
        envs = gymnasium.make_vec(GAME, num_envs=games // 2, seat=seat, autoreset_mode="SameStep")
        observations, infos = envs.reset(seed=seed + seat * games)
        unfinished = np.ones(games // 2, bool)
        while unfinished.any():
            actions, _, _ = learner.act(observations + learner.starts, infos["action_mask"] > 0)
            observations, rewards, terminated, truncated, infos = envs.step(actions)
            ended = unfinished & (terminated | truncated)
            total += float(rewards[ended].sum())
            unfinished &= ~ended
    return (1 + total / games) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=100_000, help="moves of the learner")
    parser.add_argument("--games", type=int, default=400, help="games against random moves, before and after training")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    learner = Learner(args.seed)
    before = win_share(learner, args.games, args.seed + 1_000_000)
    train(learner, args.steps, args.seed)
    after = win_share(learner, args.games, args.seed + 1_000_000)
    print(f"Share of {args.games} games won against random moves: {before:.0%} before the training, {after:.0%} after.")


if __name__ == "__main__":
    main()
