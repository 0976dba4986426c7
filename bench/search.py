"""Measures information-set tree search; prints JSON. Run by run.py.

It measures the search of Seven Hues if that is installed, otherwise the search of OpenSpiel.
"""

import json
import random
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from timing import clock

OPENSPIEL_GAMES = ("leduc_poker", "gin_rummy")
FIRST_SIMULATIONS = 100  # in the first measurement
MIN_SECONDS = 0.05  # of a measured search
SEED = 7


def rate(search: Callable[[int], None], seconds: float) -> float:
    """Run a search with more and more simulations until it takes long enough; return simulations per second."""
    simulations = FIRST_SIMULATIONS
    while True:
        began = clock()
        search(simulations)
        spent = clock() - began
        if spent >= max(seconds, MIN_SECONDS):
            return simulations / spent
        simulations *= 2 if spent > MIN_SECONDS / 10 else 10


def measure_own(seconds: float) -> list[dict[str, Any]]:
    """Measure the search of Seven Hues."""
    import sevenhues
    from sevenhues.bots import Budget, IsmctsBot
    from sevenhues.core.bot_support import Heuristics

    def measured(game: Any, heuristics: Heuristics[Any]) -> float:
        position, rng = sevenhues.deal(game, b"search"), sevenhues.Rng(1)
        while len(position.legal(position.to_act()[0])) == 1:
            position.play(position.to_act()[0], position.legal(position.to_act()[0])[0])
        seat = position.to_act()[0]

        def search(simulations: int) -> None:
            IsmctsBot(heuristics, Budget(simulations=simulations)).choose(position, seat, rng)

        return rate(search, seconds)

    rows = []
    for name in sevenhues.names():
        game = sevenhues.load(name)
        rows.append({"game": f"{name}, random playouts", "search": measured(game, Heuristics())})
        heuristics = game.bot_support().heuristics()
        if type(heuristics) is not Heuristics:
            rows.append({"game": f"{name}, its own heuristics", "search": measured(game, heuristics)})
    return rows


def measure_openspiel(seconds: float) -> list[dict[str, Any]]:
    """Measure the search of OpenSpiel."""
    import pyspiel

    def measured(name: str) -> float:
        game, rng = pyspiel.load_game(name), random.Random(1)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
        final_policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

        def search(simulations: int) -> None:
            evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
            pyspiel.ISMCTSBot(SEED, evaluator, 1.0, simulations, -1, final_policy, False, True).step(state)

        return rate(search, seconds)

    return [{"game": f"OpenSpiel {name}", "search": measured(name)} for name in OPENSPIEL_GAMES]


def main() -> None:
    measure = measure_own if find_spec("sevenhues") else measure_openspiel
    print(json.dumps(measure(float(sys.argv[1]))))


if __name__ == "__main__":
    main()
