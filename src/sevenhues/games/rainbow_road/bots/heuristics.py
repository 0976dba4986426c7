"""What Rainbow Road teaches bots, and its four levels."""

from math import exp
from typing import Final

from mypy_extensions import i64

from sevenhues.core.bot_support import Heuristics, Level
from sevenhues.core.position import outcome_values
from sevenhues.core.rng import Rng
from sevenhues.games.rainbow_road.belief import draw_cards
from sevenhues.games.rainbow_road.bots.evaluation import Worth, chance
from sevenhues.games.rainbow_road.bots.hypotheses import World, worlds
from sevenhues.games.rainbow_road.bots.lookahead import Lookahead
from sevenhues.games.rainbow_road.bots.planner import Planner
from sevenhues.games.rainbow_road.bots.policy import eager_move, promise
from sevenhues.games.rainbow_road.pieces import PACK, ROUNDS, all_gains, size
from sevenhues.games.rainbow_road.rules import RoadPosition

SHARP: Final = 0.5  # how moves differ in weight, a point
NODES: Final = 64  # looked at for a try
WORTH: Final = Worth()
SPENDS_CARDS: Final = Worth(False)
SPENDS_ALL: Final = Worth(False, False)


class RoadHeuristics(Heuristics[RoadPosition]):
    """Plays the round out by the points of each fairy, and then judges the lead, the start and the pranks."""

    def policy(self, position: RoadPosition, seat: int, rng: Rng) -> int:
        return eager_move(position)

    def weights(self, position: RoadPosition, seat: int, moves: list[int]) -> list[float]:
        return [exp(SHARP * promise(position, move)) for move in moves]

    def playout(self, position: RoadPosition, rng: Rng) -> list[float]:
        number = position.round
        while position.round == number < ROUNDS:
            position.play(position.turn, eager_move(position))
        return self.values(position)

    def values(self, position: RoadPosition) -> list[float]:
        outcome = position.outcome()
        if outcome is not None:
            return outcome_values(outcome)
        left = ROUNDS - position.round
        lead = float(all_gains(position.gains_0) - all_gains(position.gains_1))
        lead += WORTH.holding(position.hand_0, position.hand_1, position.held_0, position.held_1, left)
        lead += WORTH.standing(position.turn, position.sunny)
        mine = chance(lead, left)
        return [mine, 1.0 - mine]


class Thinker(RoadHeuristics):
    """Thinks ahead with everything that the opponent may hold."""

    def __init__(self, planner: Planner, worth: Worth) -> None:
        self.planner = planner
        self.worth = worth

    def evaluate_moves(
        self, position: RoadPosition, seat: int, moves: list[int], peeks: bool, limit: int, until: float, rng: Rng
    ) -> list[float]:
        other: i64 = 1 - seat
        held = [World(position.hand(other), position.held(other), 1)] if peeks else self.imagined(position, seat, rng)
        return self.planner.plan(position, seat, moves, held, Lookahead(self.worth, until, limit * NODES), rng)

    def imagined(self, position: RoadPosition, seat: int, rng: Rng) -> list[World]:
        """List what the opponent may hold, as far as this one considers it."""
        return worlds(position, seat)


class Careless(Thinker):
    """Thinks ahead, but neither counts the cards that are gone nor reckons with the opponent's pranks."""

    def imagined(self, position: RoadPosition, seat: int, rng: Rng) -> list[World]:
        mine = position.hand(seat)
        cards = size(position.hand(1 - seat))
        return [World(draw_cards(PACK - mine, cards, rng), 0, 1) for _ in range(self.planner.most_worlds)]


def levels() -> list[Level]:
    """List the four levels."""
    player = Careless(Planner(1, 3), SPENDS_ALL)
    expert = Thinker(Planner(1), SPENDS_CARDS)
    master = Thinker(Planner(ROUNDS), WORTH)
    return [
        Level(
            "seedling", "Takes the most points at once, and its pranks for any one more.", "policy", RoadHeuristics()
        ),
        Level("player", "Sees your answer coming, but not your pranks, and does not count cards.", "flat", player),
        Level("expert", "Counts cards and thinks the round through, but spends its best ones early.", "flat", expert),
        Level("master", "Thinks rounds ahead, saves what is strong, and plays out the end.", "flat", master),
    ]
