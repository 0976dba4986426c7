"""DQN of Tianshou learns Rainbow against random moves, from shaped rewards.

    python examples/tianshou_dqn.py --steps 40000

It needs PyTorch: pip install tianshou "sevenhues[gymnasium]". Tianshou looks for the legal actions in `obs.mask`, so a
wrapper puts `info["action_mask"]` there.
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams

GAME = "sevenhues.adapters.gymnasium:sevenhues/Rainbow-v0"
GAMES_AT_ONCE = 16
WIDTH = 128
CURVE_POINTS = 8
CURVE_GAMES = 100
EXPLORATION = (0.5, 0.05)  # the share of random moves, at the start and at the end


class MaskInObservation(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Observations with the numbers in `obs` and the legal actions in `mask`."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        actions: Any = env.action_space
        self.observation_space = spaces.Dict({"obs": env.observation_space, "mask": spaces.MultiBinary(int(actions.n))})

    def reset(self, **arguments: Any) -> Any:
        numbers, info = self.env.reset(**arguments)
        return self._observation(numbers, info), info

    def step(self, action: Any) -> Any:
        numbers, reward, terminated, truncated, info = self.env.step(action)
        return self._observation(numbers, info), reward, terminated, truncated, info

    def _observation(self, numbers: Any, info: dict[str, Any]) -> dict[str, Any]:
        return {"obs": numbers, "mask": info["action_mask"].astype(bool)}


class QNetwork(torch.nn.Module):
    """Values of actions; the first layer is linear in the one-hot encoded numbers of an observation."""

    def __init__(self, sizes: Any, actions: int) -> None:
        super().__init__()
        self.register_buffer("starts", torch.tensor(np.cumsum(sizes) - sizes))
        self.bag = torch.nn.EmbeddingBag(int(sizes.sum()), WIDTH, mode="sum")
        torch.nn.init.normal_(self.bag.weight, std=len(sizes) ** -0.5)
        layers = torch.nn.ReLU(), torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, actions)
        self.rest = torch.nn.Sequential(*layers)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        return self.rest(self.bag(torch.as_tensor(obs).long() + self.starts)), state


def make_learner(seed: int) -> DQN[Any]:
    """Return an untrained learner."""
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = gymnasium.make(GAME)
    space: Any = env.observation_space
    actions: Any = env.action_space
    network = QNetwork(space.high.astype(int) + 1, int(actions.n))
    policy = DiscreteQLearningPolicy(model=network, action_space=actions, observation_space=space)
    # A turn has several moves, so returns of three steps carry rewards back faster.
    return DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.97,
        n_step_return_horizon=3,
        target_update_freq=200,
    )


def win_share(learner: DQN[Any], games: int, seed: int) -> float:
    """Return the share of wins against random moves; draws count half."""
    envs = gymnasium.make_vec(GAME, num_envs=games, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=seed)
    total, unfinished = 0.0, np.ones(games, bool)
    while unfinished.any():
        seen = Batch(obs=Batch(obs=observations, mask=infos["action_mask"].astype(bool)), info=Batch())
        with torch.no_grad():
            actions = learner.policy(seen).act
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        ended = unfinished & (terminated | truncated)
        total += float(rewards[ended].sum())
        unfinished &= ~ended
    return (1 + total / games) / 2


def train(learner: DQN[Any], steps: int, seed: int) -> None:
    """Train, and print the learning curve."""
    envs = DummyVectorEnv([lambda: MaskInObservation(gymnasium.make(GAME, reward="shaped"))] * GAMES_AT_ONCE)
    envs.seed(seed)
    collector: Any = Collector(learner, envs, VectorReplayBuffer(steps, GAMES_AT_ONCE), exploration_noise=True)
    collector.reset()
    first, last = EXPLORATION

    size = steps // CURVE_POINTS
    for number in range(CURVE_POINTS):
        learner.policy.set_eps_training(first + (last - first) * number / (CURVE_POINTS - 1))
        parameters = OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=size,
            collection_step_num_env_steps=4 * GAMES_AT_ONCE,
            batch_size=256,
            update_step_num_gradient_steps_per_sample=1 / GAMES_AT_ONCE,
            verbose=False,
            show_progress=False,
        )
        learner.run_training(parameters)
        share = win_share(learner, CURVE_GAMES, seed + 1000)
        print(f"{(number + 1) * size:8} steps  {time.process_time():4.0f} s of CPU  wins {share:.0%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=40_000, help="moves of the learner")
    parser.add_argument("--games", type=int, default=400, help="games against random moves, before and after training")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    learner = make_learner(args.seed)
    before = win_share(learner, args.games, args.seed + 1_000_000)
    train(learner, args.steps, args.seed)
    after = win_share(learner, args.games, args.seed + 1_000_000)
    print(f"Share of {args.games} games won against random moves: {before:.0%} before the training, {after:.0%} after.")


if __name__ == "__main__":
    main()
