"""Rainbow's support for bots, learners and analysis."""

from importlib import import_module
from typing import Any

from sevenhues.core.bot_support import BotSupport, Heuristics, Level
from sevenhues.core.options import Options
from sevenhues.core.report_types import Beliefs
from sevenhues.games.rainbow import exact_odds
from sevenhues.games.rainbow.bots import heuristics
from sevenhues.games.rainbow.rules import RainbowPosition


class RainbowBotSupport(BotSupport[RainbowPosition]):
    """Provides levels, heuristics, exact odds and the batched game."""

    def heuristics(self) -> Heuristics[RainbowPosition]:
        return heuristics.RainbowHeuristics()

    def levels(self) -> list[Level]:
        return heuristics.levels()

    def benchmark_levels(self) -> list[Level]:
        return heuristics.benchmark_levels()

    def potential(self, position: RainbowPosition, seat: int) -> float:
        return 2.0 * self.heuristics().values(position)[seat] - 1.0  # the piles and the turn are public

    def beliefs(self, position: RainbowPosition, seat: int) -> Beliefs | None:
        return exact_odds.beliefs(position, seat)

    def batch(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.rainbow.batch.game").RainbowBatch(seats, options)
