"""A small learner of its own, in NumPy, teaches itself Rainbow through PettingZoo and then plays against random moves.

    python examples/self_play.py --games 1500

It knows nothing of the rules: it sees the numbers of an observation and the mask of legal actions. A network with one
hidden layer gives each action a weight; actions are made more likely as the piles after them grew in one's favour
(REINFORCE).
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sevenhues.adapters.pettingzoo import env

GAME = "rainbow"
HIDDEN = 64
BATCH = 20  # games between two lessons
PATIENCE = 0.8  # how much of a gain counts a decision earlier
SPEED = 0.01

Floats = NDArray[np.float64]


class Encoder:
    """Observations as zeros and ones: every small number by its value, every big one as a part of its highest."""

    def __init__(self, highs: NDArray[Any]) -> None:
        self.small = np.flatnonzero(highs <= 10)
        self.big = np.flatnonzero(highs > 10)
        self.scale = highs[self.big].astype(float)
        self.starts = np.concatenate([[0], np.cumsum(highs[self.small].astype(int) + 1)])
        self.size = int(self.starts[-1]) + len(self.big)

    def encode(self, observation: NDArray[Any]) -> Floats:
        made = np.zeros(self.size)
        made[self.starts[:-1] + observation[self.small]] = 1.0
        made[self.starts[-1] :] = observation[self.big] / self.scale
        return made


class Learner:
    """A network of two layers that gives each legal action a probability."""

    def __init__(self, inputs: int, actions: int, dice: np.random.Generator) -> None:
        self.dice = dice
        self.weights = [dice.normal(0, 0.1, (inputs, HIDDEN)), dice.normal(0, 0.1, (HIDDEN, actions))]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.lessons = 0

    def chances(self, seen: Floats, mask: NDArray[Any]) -> Floats:
        hidden = np.maximum(seen @ self.weights[0], 0)
        strengths: Floats = np.where(mask > 0, hidden @ self.weights[1], -np.inf)
        raised = np.exp(strengths - strengths.max(axis=-1, keepdims=True))
        chances: Floats = raised / raised.sum(axis=-1, keepdims=True)
        return chances

    def act(self, seen: Floats, mask: NDArray[Any]) -> int:
        return int(self.dice.choice(len(mask), p=self.chances(seen, mask)))

    def learn(self, seen: Floats, masks: NDArray[Any], actions: NDArray[Any], worth: Floats) -> None:
        """Make what turned out well more likely, by Adam."""
        hidden = np.maximum(seen @ self.weights[0], 0)
        error = -self.chances(seen, masks)
        error[np.arange(len(actions)), actions] += 1
        error *= ((worth - worth.mean()) / (worth.std() + 1e-9))[:, None] / len(actions)
        slopes = [seen.T @ ((error @ self.weights[1].T) * (hidden > 0)), hidden.T @ error]
        self.lessons += 1
        for i, slope in enumerate(slopes):
            self.means[i] = 0.9 * self.means[i] + 0.1 * slope
            self.squares[i] = 0.999 * self.squares[i] + 0.001 * slope**2
            mean = self.means[i] / (1 - 0.9**self.lessons)
            square = self.squares[i] / (1 - 0.999**self.lessons)
            self.weights[i] += SPEED * mean / (np.sqrt(square) + 1e-8)


class Table:
    """Rainbow through PettingZoo, with what the learner makes of it."""

    def __init__(self, seed: int) -> None:
        self.env: Any = env(GAME)
        self.env.reset(seed=seed)
        variant = self.env.variant
        self.encoder = Encoder(variant.highs)
        self.actions = variant.action_count
        names = [feature.name for feature in variant.layout for _ in range(feature.size)]
        self.piles = names.index("my_pile"), names.index("other_pile")

    def lead(self, observation: NDArray[Any]) -> int:
        return int(observation[self.piles[0]]) - int(observation[self.piles[1]])

    def self_play(self, learner: Learner) -> list[tuple[Floats, NDArray[Any], int, float]]:
        """Let the learner play both seats; return what each saw, might do, did, and gained later."""
        self.env.reset()
        told: dict[str, list[Any]] = {agent: [] for agent in self.env.agents}
        leads: dict[str, list[int]] = {agent: [] for agent in self.env.agents}
        for agent in self.env.agent_iter():
            observation, _, termination, truncation, _ = self.env.last()
            leads[agent].append(self.lead(observation["observation"]))
            if termination or truncation:
                self.env.step(None)
                continue
            seen, mask = self.encoder.encode(observation["observation"]), observation["action_mask"]
            action = learner.act(seen, mask)
            told[agent].append((seen, mask, action))
            self.env.step(action)
        lessons = []
        for agent, decisions in told.items():
            worth = 0.0
            for i in range(len(decisions) - 1, -1, -1):
                worth = leads[agent][i + 1] - leads[agent][i] + PATIENCE * worth
                lessons.append((*decisions[i], worth))
        return lessons

    def against_random(self, learner: Learner, seat: int) -> float:
        """Play a game against random moves; return what the learner gained."""
        self.env.reset()
        gained = 0.0
        for agent in self.env.agent_iter():
            observation, reward, termination, truncation, _ = self.env.last()
            if agent == self.env.possible_agents[seat]:
                gained = reward
            if termination or truncation:
                self.env.step(None)
            elif agent == self.env.possible_agents[seat]:
                seen = self.encoder.encode(observation["observation"])
                self.env.step(learner.act(seen, observation["action_mask"]))
            else:
                self.env.step(int(learner.dice.choice(np.flatnonzero(observation["action_mask"]))))
        return gained


def train(games: int, seed: int) -> tuple[Table, Learner]:
    """Let a new learner play so many games against itself."""
    table = Table(seed)
    learner = Learner(table.encoder.size, table.actions, np.random.default_rng(seed))
    for _ in range(games // BATCH):
        lessons = [lesson for _ in range(BATCH) for lesson in table.self_play(learner)]
        seen, masks, actions, worth = zip(*lessons, strict=True)
        learner.learn(np.array(seen), np.array(masks), np.array(actions), np.array(worth))
    return table, learner


def win_share(table: Table, learner: Learner, games: int) -> float:
    """Return the share of games won against random moves, draws counting half, changing seats after each."""
    gains = [table.against_random(learner, number % 2) for number in range(games)]
    return (1 + sum(gains) / games) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1500, help="of self-play")
    parser.add_argument("--matches", type=int, default=400, help="against random moves, before and after")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    before = win_share(*train(0, given.seed), given.matches)
    after = win_share(*train(given.games, given.seed), given.matches)
    print(f"Of {given.matches} games against random moves the learner won {before:.0%} before it played itself")
    print(f"and {after:.0%} after {given.games} games.")


if __name__ == "__main__":
    main()
