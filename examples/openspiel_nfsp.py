"""OpenSpiel's NFSP learns Rainbow by self-play, through OpenSpiel's reinforcement-learning environment.

    python examples/openspiel_nfsp.py --episodes 4000

It needs PyTorch: pip install torch dm-tree "sevenhues[openspiel]". NFSP averages its best responses to its own average,
so what is measured is the average policy.
"""

import argparse
import time
from typing import Any

import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.pytorch.nfsp import MODE, NFSP

from sevenhues.adapters import openspiel

GAME = "sevenhues_rainbow"
CURVE_POINTS = 5
CURVE_GAMES = 100


def make_environment(seed: int) -> Any:
    openspiel.register()
    # The observation is enough to play well, and much shorter than the information state with all moves.
    kind = rl_environment.ObservationType.OBSERVATION
    return rl_environment.Environment(
        pyspiel.load_game(GAME),
        observation_type=kind,
        chance_event_sampler=rl_environment.ChanceEventSampler(seed=seed),
    )


def make_agents(environment: Any, seed: int) -> list[NFSP]:
    """Return an untrained agent for each seat."""
    torch.set_num_threads(1)
    spec = environment.observation_spec()
    return [
        NFSP(
            seat,
            spec["info_state"][0],
            environment.action_spec()["num_actions"],
            hidden_layers_sizes=[128, 128],
            reservoir_buffer_capacity=200_000,
            anticipatory_param=0.2,
            batch_size=256,
            rl_learning_rate=1e-3,
            sl_learning_rate=1e-3,
            optimizer_str="adam",
            learn_every=16,
            replay_buffer_capacity=50_000,
            epsilon_start=0.2,
            epsilon_end=0.02,
            epsilon_decay_duration=50_000,
            update_target_network_every=1000,
            seed=seed + seat,
        )
        for seat in range(environment.num_players)
    ]


def win_share(agents: list[NFSP], games: int, seed: int) -> float:
    """Return the share of wins of the average policies against random moves, in turn from each seat; a draw is half."""
    environment = make_environment(seed)
    actions = environment.action_spec()["num_actions"]
    total = 0.0
    for number in range(games):
        learner = number % 2
        opponent = RandomAgent(1 - learner, actions)
        step = environment.reset()
        with agents[learner].temp_mode_as(MODE.AVERAGE_POLICY):
            while not step.last():
                player = agents[learner] if step.current_player() == learner else opponent
                step = environment.step([player.step(step, is_evaluation=True).action])
        total += step.rewards[learner]
    return (1 + total / games) / 2


def train(agents: list[NFSP], episodes: int, seed: int) -> None:
    """Train by self-play, and print the learning curve."""
    environment = make_environment(seed)
    for number in range(1, episodes + 1):
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.current_player()].step(step).action])
        for agent in agents:
            agent.step(step)
        if number % (episodes // CURVE_POINTS) == 0:
            share = win_share(agents, CURVE_GAMES, seed + 1000)
            print(f"{number:8} games  {time.process_time():4.0f} s of CPU  wins {share:.0%}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--episodes", type=int, default=4000, help="games of self-play")
    parser.add_argument("--games", type=int, default=400, help="games against random moves, before and after training")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    agents = make_agents(make_environment(args.seed), args.seed)
    before = win_share(agents, args.games, args.seed + 1_000_000)
    train(agents, args.episodes, args.seed)
    after = win_share(agents, args.games, args.seed + 1_000_000)
    print(f"Share of {args.games} games won against random moves: {before:.0%} before the training, {after:.0%} after.")


if __name__ == "__main__":
    main()
