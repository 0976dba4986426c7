"""Rainbow Road's support for bots, learners and analysis."""

from importlib import import_module
from typing import Any

from sevenhues.core.bot_support import BotSupport, Heuristics, Level
from sevenhues.core.options import Options
from sevenhues.games.rainbow_road.bots import heuristics
from sevenhues.games.rainbow_road.bots.evaluation import chance
from sevenhues.games.rainbow_road.pieces import ROUNDS, all_gains
from sevenhues.games.rainbow_road.rules import RoadPosition


class RoadBotSupport(BotSupport[RoadPosition]):
    """Provides levels, heuristics and the batched game."""

    def heuristics(self) -> Heuristics[RoadPosition]:
        return heuristics.RoadHeuristics()

    def levels(self) -> list[Level]:
        return heuristics.levels()

    def potential(self, position: RoadPosition, seat: int) -> float:
        """Return how good the lead is by what has been gained; the hands are hidden."""
        lead = float(all_gains(position.gains_0) - all_gains(position.gains_1))
        mine = 2.0 * chance(lead, ROUNDS - position.round) - 1.0
        return mine if seat == 0 else -mine

    def batch(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.rainbow_road.batch.game").RoadBatch(seats, options)
