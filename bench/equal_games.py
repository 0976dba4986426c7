"""Compares Kuhn and Leduc poker in our contract with OpenSpiel's C++ games of the same names; prints JSON.

Run by run.py. The games of tests/toy_games/poker.py are compiled by the build hook for games of other packages. Both
sides run in this process and take turns of a fraction of a second, so that load on the machine affects them alike.
Rates are medians per second of CPU time, and a ratio is the median of the ratios of all turns.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from itertools import cycle, permutations
from pathlib import Path
from statistics import median
from typing import Any

import pyspiel
from random_numbers import Draw, number_source
from timing import rate

import sevenhues
from sevenhues.bots import Budget, IsmctsBot
from sevenhues.compiling.compile_game import compile_game
from sevenhues.core.bot_support import Heuristics
from sevenhues.core.play import playouts

TESTS = Path(__file__).parents[1] / "tests"
TURNS = 11  # of both sides, for each figure
GAMES = 2000  # of one call that plays many
SIMULATIONS = 2000  # of one search
SEED = 7

Work = Callable[[], int]  # returns the number of units done
FIGURES = (
    "playouts, own deals counted",
    "stepped, from dealt states",
    "stepped, with deals",
    "stepped, with deals and information states",
    "tree search, simulations",
)


def compiled_poker(folder: Path) -> Any:
    """Compile the poker games; return their module."""
    compile_game(TESTS, ["toy_games/poker.py"], folder)
    sys.path.insert(0, str(folder / "lib"))
    return import_module("toy_games.poker")


def play_own(position: Any, draw: Draw, encode: Any = None) -> int:
    """Play a random game of ours, and read the scores, which are its payoffs; return the number of decisions."""
    decisions = 0
    while to_act := position.to_act():
        seat = to_act[0]
        if encode:
            encode(position, seat)
        moves = position.legal(seat)
        position.play(seat, moves[draw() % len(moves)])
        decisions += 1
    position.scores()
    return decisions


def play_openspiel(state: Any, draw: Draw, observed: bool = False) -> int:
    """Play a random game of OpenSpiel, and read the returns; return the number of decisions."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[draw() % len(outcomes)][0])
            continue
        if observed:
            state.information_state_tensor(state.current_player())
        moves = state.legal_actions()
        state.apply_action(moves[draw() % len(moves)])
        decisions += 1
    state.returns()
    return decisions


def own_works(game: Any, draw: Draw) -> list[Work]:
    """Return the work of each figure with our game."""
    rng = sevenhues.Rng(SEED)
    dealt = cycle([game.quick_start(2, {}, rng) for _ in range(30)]).__next__
    encode = game.observation_encoder().encode  # with the moves of both seats and all cards that the seat has seen

    def search() -> int:
        IsmctsBot(Heuristics(), Budget(simulations=SIMULATIONS)).choose(dealt(), 0, rng)
        return SIMULATIONS

    return [
        lambda: playouts(game, GAMES, 2, {}, rng).decisions,
        lambda: play_own(dealt().copy(), draw),
        lambda: play_own(game.quick_start(2, {}, rng), draw),
        lambda: play_own(game.quick_start(2, {}, rng), draw, encode),
        search,
    ]


def openspiel_works(game: Any, cards: int, draw: Draw) -> list[Work]:
    """Return the work of each figure with OpenSpiel's game."""
    dealt = cycle(dealt_states(game, cards)).__next__
    decisions = GAMES * mean_decisions(game.new_initial_state())
    final_policy = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT

    def rollouts() -> int:
        # A search with one simulation evaluates its state by random rollouts in C++. It cannot start before the deal.
        evaluator = pyspiel.RandomRolloutEvaluator(GAMES, SEED)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 64, False, SEED, False).mcts_search(dealt())
        return round(decisions)

    def search() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(1, SEED)
        pyspiel.ISMCTSBot(SEED, evaluator, 1.0, SIMULATIONS, -1, final_policy, False, True).step(dealt())
        return SIMULATIONS

    return [
        rollouts,
        lambda: play_openspiel(dealt().clone(), draw),
        lambda: play_openspiel(game.new_initial_state(), draw),
        lambda: play_openspiel(game.new_initial_state(), draw, observed=True),
        search,
    ]


def dealt_states(game: Any, cards: int) -> list[Any]:
    """Return OpenSpiel's states after every deal of two hands."""
    states = []
    for hands in permutations(range(cards), 2):
        state = game.new_initial_state()
        for card in hands:
            state.apply_action(card)
        states.append(state)
    return states


def mean_decisions(state: Any) -> float:
    """Return the expected number of decisions of a random game; all chance outcomes are equally likely."""
    if state.is_terminal():
        return 0.0
    actions = state.legal_actions()
    below = sum([mean_decisions(state.child(action)) for action in actions]) / len(actions)
    return below + (0.0 if state.is_chance_node() else 1.0)


def compare(game: str, figure: str, own: Work, other: Work, seconds: float) -> dict[str, Any]:
    """Measure two sides in turns."""
    turns = [(rate(own, seconds), rate(other, seconds)) for _ in range(TURNS)]
    return {
        "game": game,
        "figure": figure,
        "own": median([own_rate for own_rate, _ in turns]),
        "openspiel": median([other_rate for _, other_rate in turns]),
        "ratio": median([own_rate / other_rate for own_rate, other_rate in turns]),
        "turns": turns,
    }


def main() -> None:
    seconds, draw, rows = float(sys.argv[1]) / 5, number_source(), []
    with tempfile.TemporaryDirectory() as folder:
        poker = compiled_poker(Path(folder))
        for own, name in ((poker.Kuhn(), "kuhn_poker"), (poker.Leduc(), "leduc_poker")):
            other = openspiel_works(pyspiel.load_game(name), own.cards, draw)
            for figure, own_work, other_work in zip(FIGURES, own_works(own, draw), other, strict=True):
                rows.append(compare(name, figure, own_work, other_work, seconds))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
