"""CFR+ solves poker as OpenSpiel evaluates it, and the endgames of our games."""

from itertools import pairwise, permutations
from typing import Any

import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability

import sevenhues
from examples.cfr import Solver, TreeTooLarge
from examples.endgames import ENDGAMES, Endgame, EndgameGame, starts
from sevenhues.adapters.openspiel import SevenHuesGame
from tests.toy_games.poker import Kuhn

KUHN_VALUE = -1 / 18  # of the first player
SOLVED = 0.01  # exploitability


def kuhn_solver() -> Solver:
    game = Kuhn()
    return Solver(game, [game.start({"pack": list(pack)}, 2, {}) for pack in permutations(range(game.cards))])


def test_kuhn_poker_is_solved_to_its_value() -> None:
    solver = kuhn_solver()
    solver.iterate(100)
    assert solver.value() == pytest.approx(KUHN_VALUE, abs=1e-3)
    assert solver.exploitability() < SOLVED


@pytest.mark.parametrize("iterations", [0, 1, 10])
def test_exploitability_in_kuhn_poker_is_that_of_openspiel(iterations: int) -> None:
    solver, game = kuhn_solver(), pyspiel.load_game("kuhn_poker")
    solver.iterate(iterations)
    tabular = policy.TabularPolicy(game)
    for (seat, count, *rest), information_set in solver.information_sets.items():
        moves, seen = rest[:count], rest[count:]
        text = str(seen[1 + seat]) + "".join([Kuhn.texts[move] for move in moves])
        tabular.policy_for_key(text)[:] = information_set.average()
    assert solver.exploitability() == pytest.approx(exploitability.exploitability(game, tabular))


class StrategyOf(policy.Policy):  # type: ignore[misc]
    """The average strategy of a solver, for OpenSpiel's states of the same game."""

    def __init__(self, game: Any, solver: Solver) -> None:
        super().__init__(game, [0, 1])
        self.solver = solver

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        moves = tuple(move for _, move in state.inner.moves)
        key = self.solver.key(state.inner.dealt_position(), state.current_player(), moves)
        information_set = self.solver.information_sets[key]
        return dict(zip(information_set.moves, information_set.average(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("rainbow", 3),
        ("rainbow-road", 6),
        *[pytest.param(name, endgame.plies, marks=pytest.mark.long) for name, endgame in ENDGAMES.items()],
    ],
)
@pytest.mark.parametrize("iterations", [0, 5])
def test_exploitability_of_an_endgame_is_that_of_openspiel(name: str, plies: int, iterations: int) -> None:
    endgame = EndgameGame(ENDGAMES[name]._replace(plies=plies))
    solver = Solver(endgame, endgame.starts)
    solver.iterate(iterations)
    game = type("Loaded", (SevenHuesGame,), {"plays": endgame})({"reward": "score"})
    theirs = exploitability.exploitability(game, StrategyOf(game, solver))
    assert solver.exploitability() == pytest.approx(theirs, rel=0, abs=1e-9)
    assert theirs > 0
    assert len({start.key() for start in endgame.starts}) > 2


@pytest.mark.parametrize("name", ENDGAMES)
def test_exploitability_of_an_endgame_falls(name: str) -> None:
    endgame = ENDGAMES[name]._replace(deals=2)
    solver = Solver(sevenhues.load(name), starts(endgame))
    before = solver.exploitability()
    solver.iterate(10)
    assert solver.exploitability() < before / 5


@pytest.mark.parametrize("name", ENDGAMES)
def test_a_seat_cannot_tell_neighbouring_deals_of_an_endgame_apart(name: str) -> None:
    game, positions = sevenhues.load(name), starts(ENDGAMES[name])
    for number, (one, other) in enumerate(pairwise(positions)):
        assert game.view(one, number % 2) == game.view(other, number % 2)
    assert len({position.key() for position in positions}) > 2


def test_a_game_with_too_many_histories_is_refused() -> None:
    endgame = Endgame("rainbow", seed=14, plies=20, deals=1)
    with pytest.raises(TreeTooLarge, match="more than 500 histories"):
        Solver(sevenhues.load("rainbow"), starts(endgame), max_nodes=500)


@pytest.mark.long
@pytest.mark.parametrize("name", ENDGAMES)
def test_an_endgame_is_solved(name: str) -> None:
    solver = Solver(sevenhues.load(name), starts(ENDGAMES[name]))
    solver.iterate(100)
    assert solver.exploitability() < SOLVED
