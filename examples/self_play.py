"""A small learner in NumPy learns Rainbow by self-play through PettingZoo, and then plays against random moves.

    python examples/self_play.py --games 1500

It does not know the rules: it reads observations and masks of legal actions. A network with one hidden layer is the
policy. It is trained by REINFORCE; the reward of an action is the change of the lead in cards.
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenhues.adapters.pettingzoo import env

GAME = "rainbow"
HIDDEN = 64
BATCH_GAMES = 20  # between two updates
DISCOUNT = 0.8
LEARNING_RATE = 0.01
ADAM_BETA_1, ADAM_BETA_2, ADAM_EPSILON = 0.9, 0.999, 1e-8
MAX_ONE_HOT = 10  # numbers with a higher maximum are scaled

Floats = NDArray[np.float64]


class Encoder:
    """Encodes observations: small numbers one-hot, large numbers divided by their maximum."""

    def __init__(self, highs: NDArray[Any]) -> None:
        self.small = np.flatnonzero(highs <= MAX_ONE_HOT)
        self.large = np.flatnonzero(highs > MAX_ONE_HOT)
        self.scale = highs[self.large].astype(float)
        self.starts = np.concatenate([[0], np.cumsum(highs[self.small].astype(int) + 1)])
        self.size = int(self.starts[-1]) + len(self.large)

    def encode(self, observation: NDArray[Any]) -> Floats:
        inputs = np.zeros(self.size)
        inputs[self.starts[:-1] + observation[self.small]] = 1.0
        inputs[self.starts[-1] :] = observation[self.large] / self.scale
        return inputs


class Learner:
    """A policy network with two layers, trained by Adam."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        self.rng = rng
        self.weights = [rng.normal(0, 0.1, (inputs, HIDDEN)), rng.normal(0, 0.1, (HIDDEN, actions))]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.updates = 0

    def probabilities(self, inputs: Floats, mask: NDArray[Any]) -> Floats:
        hidden = np.maximum(inputs @ self.weights[0], 0)
        logits: Floats = np.where(mask > 0, hidden @ self.weights[1], -np.inf)
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        probabilities: Floats = powers / powers.sum(axis=-1, keepdims=True)
        return probabilities

    def act(self, inputs: Floats, mask: NDArray[Any]) -> int:
        return int(self.rng.choice(len(mask), p=self.probabilities(inputs, mask)))

    def update(self, inputs: Floats, masks: NDArray[Any], actions: NDArray[Any], returns: Floats) -> None:
        """Make one step of Adam along the policy gradient."""
        hidden = np.maximum(inputs @ self.weights[0], 0)
        error = -self.probabilities(inputs, masks)
        error[np.arange(len(actions)), actions] += 1
        error *= ((returns - returns.mean()) / (returns.std() + 1e-9))[:, None] / len(actions)
        gradients = [inputs.T @ ((error @ self.weights[1].T) * (hidden > 0)), hidden.T @ error]
        self.updates += 1
        for i, gradient in enumerate(gradients):
            self.means[i] = ADAM_BETA_1 * self.means[i] + (1 - ADAM_BETA_1) * gradient
            self.squares[i] = ADAM_BETA_2 * self.squares[i] + (1 - ADAM_BETA_2) * gradient**2
            mean = self.means[i] / (1 - ADAM_BETA_1**self.updates)
            square = self.squares[i] / (1 - ADAM_BETA_2**self.updates)
            self.weights[i] += LEARNING_RATE * mean / (np.sqrt(square) + ADAM_EPSILON)


class Table:
    """Rainbow through PettingZoo, with the encoder of its observations."""

    def __init__(self, seed: int) -> None:
        self.env: Any = env(GAME)
        self.env.reset(seed=seed)
        configured = self.env.configured
        self.encoder = Encoder(configured.highs)
        self.actions = configured.action_count
        names = [feature.name for feature in configured.layout for _ in range(feature.size)]
        self.piles = names.index("my_pile"), names.index("other_pile")

    def lead(self, observation: NDArray[Any]) -> int:
        return int(observation[self.piles[0]]) - int(observation[self.piles[1]])

    def self_play(self, learner: Learner) -> list[tuple[Floats, NDArray[Any], int, float]]:
        """Play a game of the learner against itself; return inputs, mask, action and return of every decision."""
        self.env.reset()
        decisions_of: dict[str, list[Any]] = {agent: [] for agent in self.env.agents}
        leads: dict[str, list[int]] = {agent: [] for agent in self.env.agents}
        for agent in self.env.agent_iter():
            observation, _, termination, truncation, _ = self.env.last()
            leads[agent].append(self.lead(observation["observation"]))
            if termination or truncation:
                self.env.step(None)
                continue
            inputs, mask = self.encoder.encode(observation["observation"]), observation["action_mask"]
            action = learner.act(inputs, mask)
            decisions_of[agent].append((inputs, mask, action))
            self.env.step(action)
        samples = []
        for agent, decisions in decisions_of.items():
            discounted = 0.0
            for i in range(len(decisions) - 1, -1, -1):
                discounted = leads[agent][i + 1] - leads[agent][i] + DISCOUNT * discounted
                samples.append((*decisions[i], discounted))
        return samples

    def against_random(self, learner: Learner, seat: int) -> float:
        """Play a game against random moves; return the learner's reward."""
        self.env.reset()
        learner_reward = 0.0
        for agent in self.env.agent_iter():
            observation, reward, termination, truncation, _ = self.env.last()
            if agent == self.env.possible_agents[seat]:
                learner_reward = reward
            if termination or truncation:
                self.env.step(None)
            elif agent == self.env.possible_agents[seat]:
                inputs = self.encoder.encode(observation["observation"])
                self.env.step(learner.act(inputs, observation["action_mask"]))
            else:
                self.env.step(int(learner.rng.choice(np.flatnonzero(observation["action_mask"]))))
        return learner_reward


def train(games: int, seed: int) -> tuple[Table, Learner]:
    """Train a new learner by self-play."""
    table = Table(seed)
    learner = Learner(table.encoder.size, table.actions, np.random.default_rng(seed))
    for _ in range(games // BATCH_GAMES):
        samples = [sample for _ in range(BATCH_GAMES) for sample in table.self_play(learner)]
        inputs, masks, actions, returns = zip(*samples, strict=True)
        learner.update(np.array(inputs), np.array(masks), np.array(actions), np.array(returns))
    return table, learner


def win_share(table: Table, learner: Learner, games: int) -> float:
    """Return the share of wins against random moves; draws count half. The learner changes seats after each game."""
    rewards = [table.against_random(learner, number % 2) for number in range(games)]
    return (1 + sum(rewards) / games) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1500, help="games of self-play")
    parser.add_argument(
        "--matches", type=int, default=400, help="games against random moves, before and after training"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    before = win_share(*train(0, args.seed), args.matches)
    after = win_share(*train(args.games, args.seed), args.matches)
    print(f"Share of {args.matches} games won against random moves: {before:.0%} before the training,")
    print(f"{after:.0%} after {args.games} games of self-play.")


if __name__ == "__main__":
    main()
