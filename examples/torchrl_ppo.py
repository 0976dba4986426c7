"""PPO of TorchRL learns Rainbow against random moves, over a vector environment.

    python examples/torchrl_ppo.py --steps 100000

It needs PyTorch: pip install torchrl "sevenhues[gymnasium]". TorchRL resets finished games itself, so the vector
environment leaves that to it (autoreset mode "Disabled"). A reader takes the legal actions from `infos["action_mask"]`.
"""

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.data import Binary, Composite
from torchrl.envs import GymWrapper
from torchrl.envs.gym_like import BaseInfoDictReader
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

GAME = "sevenhues.adapters.gymnasium:sevenhues/Rainbow-v0"
GAMES_AT_ONCE, ROLLOUT_LENGTH = 64, 32
EPOCHS, MINIBATCHES = 4, 4
CURVE_INTERVAL = 8  # rollouts between two points of the learning curve
CURVE_GAMES = 200
WIDTH = 128


class MaskReader(BaseInfoDictReader):
    """Copies the legal actions from the infos of a vector environment."""

    def __init__(self, games: int, actions: int) -> None:
        mask = Binary(actions, shape=(games, actions), dtype=torch.bool)
        self.spec = Composite(action_mask=mask, shape=(games,))

    def __call__(self, infos: dict[str, Any], data: TensorDictBase) -> TensorDictBase:
        return data.set("action_mask", torch.as_tensor(infos["action_mask"]).bool())

    @property
    def info_spec(self) -> Composite:
        return self.spec


class Network(torch.nn.Module):
    """Two layers after one that is linear in the one-hot encoded numbers of an observation."""

    def __init__(self, sizes: Any, outputs: int) -> None:
        super().__init__()
        self.register_buffer("starts", torch.tensor(np.cumsum(sizes) - sizes))
        self.first = torch.nn.Embedding(int(sizes.sum()), WIDTH)
        torch.nn.init.normal_(self.first.weight, std=len(sizes) ** -0.5)
        last = torch.nn.Linear(WIDTH, outputs)
        torch.nn.init.normal_(last.weight, std=0.01)
        self.rest = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(), last)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.rest(self.first(observation.long() + self.starts).sum(-2))


class Learner:
    """The environments, the policy and the values."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        games = gymnasium.make_vec(GAME, num_envs=GAMES_AT_ONCE, autoreset_mode="Disabled", reward="shaped")
        space: Any = games.single_observation_space
        actions = int(games.single_action_space.n)  # type: ignore[attr-defined, unused-ignore]
        self.env = GymWrapper(games, categorical_action_encoding=True)
        self.env.set_info_dict_reader(MaskReader(GAMES_AT_ONCE, actions))
        self.env.set_seed(seed)
        sizes = space.high.astype(int) + 1
        self.actor = ProbabilisticActor(
            TensorDictModule(Network(sizes, actions), in_keys=["observation"], out_keys=["logits"]),
            in_keys={"logits": "logits", "mask": "action_mask"},
            spec=self.env.action_spec,
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        )
        self.values = ValueOperator(Network(sizes, 1), in_keys=["observation"])

    def act(self, observations: Any, masks: Any) -> Any:
        """Sample an action for each game."""
        with torch.no_grad():
            logits = self.actor.module[0].module(torch.as_tensor(observations))
            return MaskedCategorical(logits=logits, mask=torch.as_tensor(masks).bool()).sample().numpy()


def train(learner: Learner, steps: int, seed: int) -> None:
    """Train, and print the learning curve."""
    advantage = GAE(gamma=0.99, lmbda=0.9, value_network=learner.values)
    loss = ClipPPOLoss(
        learner.actor, learner.values, clip_epsilon=0.2, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True
    )
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    size = GAMES_AT_ONCE * ROLLOUT_LENGTH
    collector = Collector(
        learner.env,
        learner.actor,
        frames_per_batch=size,
        total_frames=steps // size * size,
        auto_register_policy_transforms=False,
    )
    for number, rollout in enumerate(collector, 1):
        with torch.no_grad():
            advantage(rollout)
        moves = rollout.reshape(-1)
        for _ in range(EPOCHS):
            for rows in torch.randperm(size).chunk(MINIBATCHES):
                losses = loss(moves[rows])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                torch.nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
                optimizer.step()
        if number % CURVE_INTERVAL == 0:
            share = win_share(learner, CURVE_GAMES, seed + 1000)
            print(f"{number * size:8} steps  {time.process_time():4.0f} s of CPU  wins {share:.0%}", flush=True)
    collector.shutdown()


def win_share(learner: Learner, games: int, seed: int) -> float:
    """Return the share of wins against random moves; draws count half."""
    envs = gymnasium.make_vec(GAME, num_envs=games, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=seed)
    total, unfinished = 0.0, np.ones(games, bool)
    while unfinished.any():
        observations, rewards, terminated, truncated, infos = envs.step(learner.act(observations, infos["action_mask"]))
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
