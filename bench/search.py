"""Measures information-set tree search, ours or OpenSpiel's, whichever is installed; prints JSON. See run.py."""

import json
import random
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

PEERS = ("leduc_poker", "gin_rummy")
FIRST = 100  # simulations to begin with
SHORTEST = 0.05  # seconds that a measured search takes at least


def rate(search: Callable[[int], None], seconds: float) -> float:
    """Let a search make one move with ever more simulations until it takes a while; return simulations a second."""
    simulations = FIRST
    while True:
        began = time.perf_counter()
        search(simulations)
        spent = time.perf_counter() - began
        if spent >= max(seconds, SHORTEST):
            return simulations / spent
        simulations *= 2 if spent > SHORTEST / 10 else 10


def ours(seconds: float) -> list[dict[str, Any]]:
    import sevenhues
    from sevenhues.bots import IsmctsBot, Think
    from sevenhues.core.bot_support import Heuristics

    def measured(game: Any, guide: Heuristics[Any]) -> float:
        position, dice = sevenhues.deal(game, b"search"), sevenhues.Rng(1)
        while len(position.legal(position.to_act()[0])) == 1:
            position.play(position.to_act()[0], position.legal(position.to_act()[0])[0])
        seat = position.to_act()[0]
        return rate(lambda n: void(IsmctsBot(guide, Think(simulations=n)).choose(position, seat, dice)), seconds)

    rows = []
    for name in sevenhues.names():
        game = sevenhues.load(name)
        rows.append({"game": f"{name}, random playouts", "search": measured(game, Heuristics())})
        if type(game.bot_support().heuristics()) is not Heuristics:
            rows.append({"game": f"{name}, its own guide", "search": measured(game, game.bot_support().heuristics())})
    return rows


def peers(seconds: float) -> list[dict[str, Any]]:
    import pyspiel

    def measured(name: str) -> float:
        game, dice = pyspiel.load_game(name), random.Random(1)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(dice.choice([action for action, _ in state.chance_outcomes()]))
        most = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

        def search(simulations: int) -> None:
            evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
            pyspiel.ISMCTSBot(7, evaluator, 1.0, simulations, -1, most, False, True).step(state)

        return rate(search, seconds)

    return [{"game": f"OpenSpiel {name}", "search": measured(name)} for name in PEERS]


def void(_: object) -> None:
    """Take a value that nobody needs."""


def main() -> None:
    measure = ours if find_spec("sevenhues") else peers
    print(json.dumps(measure(float(sys.argv[1]))))


if __name__ == "__main__":
    main()
