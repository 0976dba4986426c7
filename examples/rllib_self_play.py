"""PPO of RLlib learns Rainbow by self-play, through RLlib's wrapper for PettingZoo.

    python examples/rllib_self_play.py --steps 60000

It needs PyTorch: pip install torch "ray[rllib]" "sevenhues[pettingzoo,gymnasium]". Both agents share one network. It
finds the legal actions in the `action_mask` of an observation.
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env

from sevenhues.adapters import pettingzoo

GAME = "sevenhues.adapters.gymnasium:sevenhues/Rainbow-v0"  # for the games against random moves
SHARED = "shared"  # the network of both agents
ROLLOUT = 2048  # moves
CURVE_INTERVAL = 4  # rollouts between two points of the learning curve
CURVE_GAMES = 200
WIDTH = 128
ILLEGAL_SCORE = -1e9


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    """Scores of actions and a value. The first layer is linear in the one-hot encoded numbers of an observation."""

    def setup(self) -> None:
        sizes = self.observation_space["observation"].high.astype(int) + 1
        self.register_buffer("starts", torch.tensor(np.cumsum(sizes) - sizes))
        self.first = torch.nn.Embedding(int(sizes.sum()), WIDTH)
        torch.nn.init.normal_(self.first.weight, std=len(sizes) ** -0.5)
        self.second = torch.nn.Linear(WIDTH, WIDTH)
        self.scores = torch.nn.Linear(WIDTH, int(self.action_space.n))
        self.value = torch.nn.Linear(WIDTH, 1)
        torch.nn.init.normal_(self.scores.weight, std=0.01)

    def known(self, batch: dict[str, Any]) -> torch.Tensor:
        numbers = batch[Columns.OBS]["observation"].long() + self.starts
        return torch.relu(self.second(torch.relu(self.first(numbers).sum(-2))))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        scores = self.scores(self.known(batch))
        legal = batch[Columns.OBS]["action_mask"] > 0
        return {Columns.ACTION_DIST_INPUTS: scores.masked_fill(~legal, ILLEGAL_SCORE)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(self.known(batch))[..., 0]


def make_algorithm(seed: int) -> Any:
    """Return RLlib's PPO, which plays and learns in this process."""
    torch.set_num_threads(1)
    register_env("rainbow", lambda _: PettingZooEnv(pettingzoo.env("rainbow", reward="shaped")))
    config = (
        PPOConfig()
        .environment("rainbow")
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, *_, **__: SHARED)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: RLModuleSpec(MaskedNetwork)}))
        .training(
            train_batch_size_per_learner=ROLLOUT,
            minibatch_size=512,
            num_epochs=4,
            gamma=0.99,
            lambda_=0.9,
            lr=1e-3,
            clip_param=0.2,
            entropy_coeff=0.01,
            use_kl_loss=False,
            grad_clip=1.0,
        )
        .debugging(seed=seed, log_level="ERROR")
    )
    return config.build_algo()


def win_share(network: Any, games: int, seed: int) -> float:
    """Return the share of wins against random moves, half of the games from each seat; draws count half."""
    total = 0.0
    for seat in (0, 1):
        envs = gymnasium.make_vec(GAME, num_envs=games // 2, seat=seat, autoreset_mode="SameStep")
        observations, infos = envs.reset(seed=seed + seat * games)
        unfinished = np.ones(games // 2, bool)
        while unfinished.any():
            seen = {"observation": torch.as_tensor(observations), "action_mask": torch.as_tensor(infos["action_mask"])}
            with torch.no_grad():
                scores = network._forward({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
            actions = torch.distributions.Categorical(logits=scores).sample().numpy()
            observations, rewards, terminated, truncated, infos = envs.step(actions)
            ended = unfinished & (terminated | truncated)
            total += float(rewards[ended].sum())
            unfinished &= ~ended
    return (1 + total / games) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--steps", type=int, default=60_000, help="moves of both agents")
    parser.add_argument("--games", type=int, default=400, help="games against random moves, before and after training")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    algorithm = make_algorithm(args.seed)
    before = win_share(algorithm.get_module(SHARED), args.games, args.seed + 1_000_000)
    for number in range(1, args.steps // ROLLOUT + 1):
        algorithm.train()
        if number % CURVE_INTERVAL == 0:
            share = win_share(algorithm.get_module(SHARED), CURVE_GAMES, args.seed + 1000)
            print(f"{number * ROLLOUT:8} steps  {time.process_time():4.0f} s of CPU  wins {share:.0%}", flush=True)
    after = win_share(algorithm.get_module(SHARED), args.games, args.seed + 1_000_000)
    algorithm.stop()
    ray.shutdown()
    print(f"Share of {args.games} games won against random moves: {before:.0%} before the training, {after:.0%} after.")


if __name__ == "__main__":
    main()
