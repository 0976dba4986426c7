"""MaskablePPO of sb3-contrib learns Rainbow against random moves, from shaped rewards.

    python examples/maskable_ppo.py --steps 40000

It needs PyTorch: pip install sb3-contrib "sevenhues[gymnasium]". MaskablePPO asks `action_masks()` of the environments
for the legal actions while it learns, and gets them from `infos["action_mask"]` when it plays.
"""

import argparse
import time
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

GAMES_AT_ONCE = 16
WIDTH = 256
CURVE_POINTS = 10
CURVE_GAMES = 50
Z_95 = 1.96  # standard deviations of a 95% interval


class OneHotLayer(BaseFeaturesExtractor):
    """The first layer: linear in the one-hot encoded numbers of an observation."""

    def __init__(self, space: gymnasium.spaces.Box) -> None:
        super().__init__(space, WIDTH)
        sizes = space.high.astype(int) + 1
        self.register_buffer("starts", torch.tensor(np.cumsum(sizes) - sizes))
        self.bag = torch.nn.EmbeddingBag(int(sizes.sum()), WIDTH, mode="sum")
        torch.nn.init.normal_(self.bag.weight, std=len(sizes) ** -0.5)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.bag(observations.long() + self.starts))


def make_learner(game: str, reward: str, seed: int) -> MaskablePPO:
    """Return an untrained learner with its environments."""
    torch.set_num_threads(1)
    # Without a render mode of ours Stable-Baselines3 asks for pixels, which need the extra `pictures`.
    arguments = {"reward": reward, "render_mode": None}
    envs = make_vec_env(env_id(game), GAMES_AT_ONCE, seed, env_kwargs=arguments)
    return MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        gamma=0.95,
        gae_lambda=0.8,
        ent_coef=0.01,
        learning_rate=1e-3,
        policy_kwargs={"features_extractor_class": OneHotLayer, "net_arch": [WIDTH]},
        seed=seed,
        device="cpu",
    )


def env_id(game: str) -> str:
    return f"sevenhues.adapters.gymnasium:sevenhues/{game}-v0"


def play(learner: MaskablePPO, game: str, games: int, seed: int) -> Counter[str]:
    """Play whole games against random moves, from the seat of the training; count wins, losses and draws."""
    envs = gymnasium.make_vec(env_id(game), num_envs=games, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=seed)
    results: Counter[str] = Counter()
    unfinished = np.ones(games, bool)
    while unfinished.any():
        actions, _ = learner.predict(observations, action_masks=infos["action_mask"])
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        ended = unfinished & (terminated | truncated)
        results.update("win" if reward > 0 else "loss" if reward < 0 else "draw" for reward in rewards[ended])
        unfinished &= ~ended
    return results


def interval(wins: int, games: int) -> tuple[float, float]:
    """Return the Wilson interval of a share of wins, with 95% confidence."""
    share, spread = wins / games, Z_95**2 / games
    centre = (share + spread / 2) / (1 + spread)
    half = (spread * share * (1 - share) + spread**2 / 4) ** 0.5 / (1 + spread)
    return centre - half, centre + half


def train(learner: MaskablePPO, game: str, steps: int, seed: int) -> None:
    """Train in rounds, and print the learning curve."""
    for number in range(CURVE_POINTS):
        learner.learn(steps // CURVE_POINTS, reset_num_timesteps=number == 0)
        results: Any = play(learner, game, CURVE_GAMES, seed)
        rewards = [episode["r"] for episode in learner.ep_info_buffer]
        print(
            f"{learner.num_timesteps:8} steps  {time.process_time():4.0f} s of CPU  mean reward {np.mean(rewards):+.2f}"
            f"  {results['win']} wins, {results['loss']} losses of {CURVE_GAMES} games",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--game", default="Rainbow", help="as in the ids of environments")
    parser.add_argument("--reward", default="shaped", choices=["win", "score", "shaped"])
    parser.add_argument("--steps", type=int, default=40_000, help="moves of the learner")
    parser.add_argument("--games", type=int, default=200, help="games against random moves after the training")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    learner = make_learner(args.game, args.reward, args.seed)
    train(learner, args.game, args.steps, args.seed)
    results = play(learner, args.game, args.games, args.seed + 1_000_000)
    low, high = interval(results["win"], args.games)
    print(
        f"Against random moves in {args.games} games: {results['win']} wins ({low:.0%} to {high:.0%} with 95% "
        f"confidence), {results['loss']} losses, {results['draw']} draws; {time.process_time():.0f} s of CPU."
    )


if __name__ == "__main__":
    main()
