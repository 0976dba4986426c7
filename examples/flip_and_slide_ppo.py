"""MaskablePPO of sb3-contrib learns Flip & Slide against random moves, from shaped rewards.

    python examples/flip_and_slide_ppo.py --steps 200000

It needs PyTorch: pip install sb3-contrib "sevenhues[gymnasium]". Random moves hardly ever complete a rainbow, so
rewards for wins alone teach little; shaped rewards also tell how much nearer to a rainbow a move has led. There are
3195 actions.
The network looks at tiles and cells instead of numbers: tiles that touch exchange what they know, and the score of a
slide is a product of what is known of the tile and of the tiles around its target.
"""

import argparse
import time
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

import sevenhues

GAME = "sevenhues.adapters.gymnasium:sevenhues/FlipAndSlide-v0"
SEATS = 2
GAMES_AT_ONCE = 64
WIDTH = 32
ROUNDS = 2  # in which tiles exchange what they know with the tiles beside them
FACES = 8  # colours and the clover
NOT_PLACED = 34  # a coordinate
SIDES = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # of a cell, q and r
ILLEGAL_SCORE = -1e8
CURVE_POINTS = 10
CURVE_GAMES = 20
Z_95 = 1.96  # standard deviations of a 95% interval


def touching(q: torch.Tensor, r: torch.Tensor, tiles_q: torch.Tensor, tiles_r: torch.Tensor) -> torch.Tensor:
    """Return 1 for each cell and each tile that touch, (games, cells, tiles)."""
    apart_q, apart_r = q[:, :, None] - tiles_q[:, None], r[:, :, None] - tiles_r[:, None]
    distance = torch.maximum(torch.maximum(apart_q.abs(), apart_r.abs()), (apart_q + apart_r).abs())
    return ((distance == 1) & (tiles_q[:, None] < NOT_PLACED)).float()


class TileNetwork(BaseFeaturesExtractor):
    """The scores of all actions, followed by features for the value."""

    def __init__(self, space: gymnasium.spaces.Box, actions: int) -> None:
        super().__init__(space, actions + WIDTH)
        game = sevenhues.load("flip-and-slide")
        layout = game.observation_encoder().layout(SEATS, {option.name: option.default for option in game.options})
        self.names = [feature.name for feature in layout]
        self.sizes = [feature.size for feature in layout]
        self.tiles = self.sizes[self.names.index("face")]
        self.faces = torch.nn.Embedding(FACES + SEATS, WIDTH)  # of colour tiles, then player tiles
        self.marks = torch.nn.Linear(2, WIDTH, bias=False)  # barred and slid
        self.situation = torch.nn.Linear(9, WIDTH)  # hidden colours, actions left, phase
        self.own = torch.nn.ModuleList([torch.nn.Linear(WIDTH, WIDTH) for _ in range(ROUNDS)])
        self.beside = torch.nn.ModuleList([torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(ROUNDS)])
        self.everywhere = torch.nn.ModuleList([torch.nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(ROUNDS)])
        self.cells = torch.nn.Linear(WIDTH, WIDTH)
        self.movers = torch.nn.Linear(WIDTH, WIDTH)
        self.targets = torch.nn.Linear(WIDTH, 1)
        self.flips = torch.nn.Linear(WIDTH, 1)
        self.register_buffer("sides", torch.tensor(SIDES, dtype=torch.int8))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        parts = dict(zip(self.names, observations.long().split(self.sizes, 1), strict=True))
        games = len(observations)
        players = torch.arange(FACES, FACES + SEATS).expand(games, SEATS)
        q = torch.cat([parts["q"], parts["player_q"]], 1).to(torch.int8)
        r = torch.cat([parts["r"], parts["player_r"]], 1).to(torch.int8)
        marks = torch.nn.functional.pad(torch.stack([parts["barred"], parts["slid"]], 2).float(), (0, 0, 0, SEATS))
        situation = torch.cat([parts["hidden"] / 3, parts["actions_left"], parts["phase"]], 1)
        known = self.faces(torch.cat([parts["face"], players], 1)) + self.marks(marks)
        known = torch.relu(known + self.situation(situation)[:, None])
        beside = touching(q, r, q, r)
        for own, others, everywhere in zip(self.own, self.beside, self.everywhere, strict=True):
            known = torch.relu(own(known) + others(beside @ known) + everywhere(known.mean(1, keepdim=True)))
        cells_q, cells_r = (c[:, :, None] + self.sides[:, i] for i, c in enumerate((q, r)))
        around = touching(cells_q.flatten(1), cells_r.flatten(1), q, r)
        targets = torch.relu(self.cells(around @ known))
        slides = self.movers(known) @ targets.transpose(1, 2) / WIDTH**0.5 + self.targets(targets).transpose(1, 2)
        flips = self.flips(known[:, : self.tiles])
        scores = torch.cat([flips.flatten(1), slides.flatten(1)], 1)
        return torch.cat([scores, known.mean(1)], 1)


class Split(torch.nn.Module):
    """Separates scores and features for the value."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        self.latent_dim_pi = actions
        self.latent_dim_vf = WIDTH

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        return features[:, : self.latent_dim_pi]

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        return features[:, self.latent_dim_pi :]


class ScorePolicy(MaskableActorCriticPolicy):
    """A policy whose network scores the actions itself."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = Split(int(self.action_space.n))

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = torch.nn.Identity()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)

    def evaluate_actions(self, obs: Any, actions: torch.Tensor, action_masks: Any = None) -> tuple[torch.Tensor, ...]:
        """Return values, log probabilities of the actions and entropies, with few passes over the many scores."""
        scores, known = self.mlp_extractor(self.extract_features(obs))
        log_probs = torch.log_softmax(scores.masked_fill(~torch.as_tensor(action_masks).bool(), ILLEGAL_SCORE), 1)
        chosen = log_probs.gather(1, actions.long()[:, None])[:, 0]
        return self.value_net(known), chosen, -(log_probs.exp() * log_probs).sum(1)


def make_learner(reward: str, seed: int) -> MaskablePPO:
    """Return an untrained learner with its environments."""
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # checks of 3195 probabilities take time
    # Without a render mode of ours Stable-Baselines3 asks for pixels, which need the extra `pictures`.
    envs = make_vec_env(GAME, GAMES_AT_ONCE, seed, env_kwargs={"reward": reward, "render_mode": None})
    return MaskablePPO(
        ScorePolicy,
        envs,
        n_steps=32,
        batch_size=256,
        n_epochs=2,
        gamma=0.9,
        gae_lambda=0.8,
        ent_coef=0.001,
        learning_rate=2e-3,
        policy_kwargs={
            "ortho_init": False,
            "features_extractor_class": TileNetwork,
            "features_extractor_kwargs": {"actions": int(envs.action_space.n)},
        },
        seed=seed,
        device="cpu",
    )


def play(learner: MaskablePPO, games: int, seed: int) -> Counter[str]:
    """Play whole games against random moves, from the seat of the training; count wins, losses and draws."""
    envs = gymnasium.make_vec(GAME, num_envs=games, autoreset_mode="SameStep")
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


def train(learner: MaskablePPO, steps: int, seed: int) -> None:
    """Train in rounds, and print the learning curve."""
    for number in range(CURVE_POINTS):
        learner.learn(steps // CURVE_POINTS, reset_num_timesteps=number == 0)
        results = play(learner, CURVE_GAMES, seed)
        rewards = [episode["r"] for episode in learner.ep_info_buffer]
        print(
            f"{learner.num_timesteps:8} steps  {time.process_time():4.0f} s of CPU  mean reward {np.mean(rewards):+.2f}"
            f"  {results['win']} wins, {results['loss']} losses of {CURVE_GAMES} games",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--reward", default="shaped", choices=["win", "score", "shaped"])
    parser.add_argument("--steps", type=int, default=200_000, help="moves of the learner")
    parser.add_argument("--games", type=int, default=200, help="games against random moves after the training")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    learner = make_learner(args.reward, args.seed)
    train(learner, args.steps, args.seed)
    results = play(learner, args.games, args.seed + 1_000_000)
    low, high = interval(results["win"], args.games)
    print(
        f"Against random moves in {args.games} games: {results['win']} wins ({low:.0%} to {high:.0%} with 95% "
        f"confidence), {results['loss']} losses, {results['draw']} draws; {time.process_time():.0f} s of CPU."
    )


if __name__ == "__main__":
    main()
