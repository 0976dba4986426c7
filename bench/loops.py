"""Random play through the interface of each framework, the same for the games of Seven Hues and its own.

Each function plays one game and returns the number of decisions. It reads observations and masks as a learner does.
"""

from typing import Any

import numpy as np
from random_numbers import Draw

VECTOR_STEPS = 50  # of vector environments, after each reset


def marked(mask: Any) -> Any:
    """Return the actions that a mask of bytes allows. NumPy finds them four times as fast among booleans."""
    return mask.view(np.bool_).nonzero()[0]


def play_pettingzoo_turns(env: Any, draw: Draw) -> int:
    """Play through PettingZoo, one agent after another."""
    env.reset()
    decisions = 0
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        legal = marked(observation["action_mask"])
        env.step(legal[draw() % len(legal)])
        decisions += 1
    return decisions


def play_pettingzoo_parallel(env: Any, draw: Draw) -> int:
    """Play through PettingZoo, all agents at once. Each agent's action is a decision."""
    observations, _ = env.reset()
    decisions = 0
    while env.agents:
        actions = {}
        for agent in env.agents:
            legal = marked(observations[agent]["action_mask"])
            actions[agent] = legal[draw() % len(legal)]
        observations = env.step(actions)[0]
        decisions += len(actions)
    return decisions


def play_openspiel(game: Any, draw: Draw) -> int:
    """Play through OpenSpiel. Chance is sampled but not counted."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[draw() % len(outcomes)][0])
        elif state.is_simultaneous_node():
            players = range(state.num_players())
            for player in players:
                state.observation_tensor(player)
            legal = [state.legal_actions(player) for player in players]
            state.apply_actions([moves[draw() % len(moves)] for moves in legal])
            decisions += len(legal)
        else:
            player = state.current_player()
            state.observation_tensor(player)
            moves = state.legal_actions()
            state.apply_action(moves[draw() % len(moves)])
            decisions += 1
    return decisions


def play_gymnasium(env: Any, draw: Draw) -> int:
    """Play through Gymnasium. Decisions of bots are not counted."""
    _, info = env.reset()
    decisions, over = 0, False
    while not over:
        legal = marked(info["action_mask"])
        _, _, terminated, truncated, info = env.step(legal[draw() % len(legal)])
        over = terminated or truncated
        decisions += 1
    return decisions


def play_vector(env: Any, draw: Draw) -> int:
    """Play many games at once through a vector environment of Gymnasium. Each game's step is a decision.

    The actions have random priorities in each step, so that the choice takes little time.
    """
    _, infos = env.reset()
    generator = np.random.default_rng(draw())
    for _ in range(VECTOR_STEPS):
        masks = infos["action_mask"]
        priorities = generator.integers(1, 127, size=masks.shape[1], dtype=np.int8)
        *_, infos = env.step((masks * priorities).argmax(1))
    return VECTOR_STEPS * int(env.num_envs)


def play_rlcard(env: Any, draw: Draw) -> int:
    """Play through RLCard."""
    state, _ = env.reset()
    decisions = 0
    while not env.is_over():
        moves = list(state["legal_actions"])
        state, _ = env.step(moves[draw() % len(moves)])
        decisions += 1
    return decisions
