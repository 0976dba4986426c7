"""Heuristics of Rainbow Road for searches, and its four levels."""

from math import exp
from typing import Final

from mypy_extensions import i64

from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.position import outcome_values
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road.belief import draw_cards
from sevenhues.games.rainbow_road.bots.evaluation import Evaluation, chance
from sevenhues.games.rainbow_road.bots.hypotheses import Hypothesis, all_hypotheses
from sevenhues.games.rainbow_road.bots.lookahead import Lookahead
from sevenhues.games.rainbow_road.bots.planner import Planner
from sevenhues.games.rainbow_road.bots.policy import estimated_points, greedy_move
from sevenhues.games.rainbow_road.pieces import PACK, ROUNDS, all_gains, size
from sevenhues.games.rainbow_road.rules import RoadPosition

WEIGHT_SCALE: Final = 0.5  # the logarithm of a move's weight, per point
NODES_PER_SIMULATION: Final = 64  # of the lookahead
EVALUATION: Final = Evaluation()
IGNORES_CARDS: Final = Evaluation(False)
IGNORES_HOLDINGS: Final = Evaluation(False, False)


class RoadHeuristics(Heuristics[RoadPosition]):
    """Plays the round out greedily, and evaluates the position after it."""

    def policy(self, position: RoadPosition, seat: int, rng: Rng) -> int:
        return greedy_move(position)

    def weights(self, position: RoadPosition, seat: int, moves: list[int]) -> list[float]:
        return [exp(WEIGHT_SCALE * estimated_points(position, move)) for move in moves]

    def playout(self, position: RoadPosition, rng: Rng) -> list[float]:
        number = position.round
        while position.round == number < ROUNDS:
            position.play(position.turn, greedy_move(position))
        return self.values(position)

    def values(self, position: RoadPosition) -> list[float]:
        outcome = position.outcome()
        if outcome is not None:
            return outcome_values(outcome)
        left = ROUNDS - position.round
        lead = float(all_gains(position.gains_0) - all_gains(position.gains_1))
        lead += EVALUATION.holding(position.hand_0, position.hand_1, position.held_0, position.held_1, left)
        lead += EVALUATION.standing(position.turn, position.sunny)
        mine = chance(lead, left)
        return [mine, 1.0 - mine]


class LookaheadHeuristics(RoadHeuristics):
    """Evaluates moves by looking ahead, under hypotheses about the opponent's hand."""

    def __init__(self, planner: Planner, evaluation: Evaluation) -> None:
        self.planner = planner
        self.evaluation = evaluation

    def evaluate_moves(
        self, position: RoadPosition, seat: int, moves: list[int], sees_hidden: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        other: i64 = 1 - seat
        if sees_hidden:
            hypotheses = [Hypothesis(position.hand(other), position.held(other), 1)]
        else:
            hypotheses = self.hypotheses(position, seat, rng)
        lookahead = Lookahead(self.evaluation, until, limit * NODES_PER_SIMULATION)
        return self.planner.evaluate(position, seat, moves, hypotheses, lookahead, rng)

    def hypotheses(self, position: RoadPosition, seat: int, rng: Rng) -> list[Hypothesis]:
        """Return the hands of the opponent that this level considers."""
        return all_hypotheses(position, seat)


class NaiveLookaheadHeuristics(LookaheadHeuristics):
    """Looks ahead without counting the played cards, and without pranks of the opponent."""

    def hypotheses(self, position: RoadPosition, seat: int, rng: Rng) -> list[Hypothesis]:
        unseen = PACK - position.hand(seat)
        count = size(position.hand(1 - seat))
        return [Hypothesis(draw_cards(unseen, count, rng), 0, 1) for _ in range(self.planner.max_hypotheses)]


def levels() -> list[Level]:
    """Return the four levels, the weakest first."""
    player = NaiveLookaheadHeuristics(Planner(1, 3), IGNORES_HOLDINGS)
    expert = LookaheadHeuristics(Planner(1), IGNORES_CARDS)
    master = LookaheadHeuristics(Planner(ROUNDS), EVALUATION)
    return [
        Level(
            "seedling",
            "Takes the most points now and plays a prank for a single extra point.",
            "policy",
            RoadHeuristics(),
        ),
        Level("player", "Sees your reply coming, but not your pranks, and does not count cards.", "flat", player),
        Level(
            "expert",
            "Counts cards and thinks the round through, but plays its best ones early.",
            "flat",
            expert,
            fixed_simulations=10,
        ),
        Level(
            "master",
            "Thinks rounds ahead, saves its best cards and plays the end perfectly.",
            "flat",
            master,
            fixed_simulations=25,
        ),
    ]
