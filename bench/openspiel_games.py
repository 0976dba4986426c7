"""Measures games of OpenSpiel; prints JSON. Run by run.py."""

import json
import sys
from typing import Any

import pyspiel
from random_numbers import Draw, number_source
from timing import clock

GAMES = ("leduc_poker", "hearts", "hive")


def deal(game: Any, draw: Draw) -> Any:
    """Return a state after the deal, in which a player is to act."""
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(outcomes[draw() % len(outcomes)][0])
    return state


def python_loop(start: Any, seconds: float, draw: Draw) -> tuple[float, float]:
    """Play random games from Python; return decisions per second and decisions per game."""
    decisions, games, began = 0, 0, clock()
    while clock() - began < seconds:
        state = start.clone()
        games += 1
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[draw() % len(outcomes)][0])
            else:
                moves = state.legal_actions()
                state.apply_action(moves[draw() % len(moves)])
                decisions += 1
    return decisions / (clock() - began), decisions / games


def rollouts(game: Any, start: Any, count: int) -> float:
    """Return random rollouts per second in C++, as OpenSpiel's search runs them to evaluate a state."""
    evaluator = pyspiel.RandomRolloutEvaluator(count, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 64, False, 7, False)
    began = clock()
    bot.mcts_search(start)
    return count / (clock() - began)


def main() -> None:
    seconds, rows, draw = float(sys.argv[1]), [], number_source()
    for name in GAMES:
        game = pyspiel.load_game(name)
        start = deal(game, draw)
        python, length = python_loop(start, seconds, draw)
        probe = max(1, int(python * seconds / length / 10))
        count = max(1, int(rollouts(game, start, probe) * seconds))
        rows.append({"game": name, "playout": rollouts(game, start, count) * length, "python": python})
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
