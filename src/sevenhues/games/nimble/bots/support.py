"""What Nimble offers bots, learners and analysis."""

from importlib import import_module
from typing import Any

from sevenhues.core.bot_support import BotSupport, Heuristics, Level
from sevenhues.core.options import Options
from sevenhues.core.report_types import RaceReport
from sevenhues.games.nimble import race_report
from sevenhues.games.nimble.bots import heuristics
from sevenhues.games.nimble.pieces import SET
from sevenhues.games.nimble.rules import NimblePosition


class NimbleBotSupport(BotSupport[NimblePosition]):
    """Levels, heuristics, race reports and the batched game."""

    def heuristics(self) -> Heuristics[NimblePosition]:
        return heuristics.NimbleHeuristics()

    def levels(self) -> list[Level]:
        return heuristics.levels()

    def potential(self, position: NimblePosition, seat: int) -> float:
        """Return how many cards the seat has placed more than its best opponent, as a share of a set."""
        left = position.scores()
        least = min([left[other] for other in range(position.seats) if other != seat])
        return (least - left[seat]) / SET

    def race_report(self, position: NimblePosition, moves: list[tuple[int, int, int]]) -> RaceReport | None:
        return race_report.race_report(position, moves)

    def batch(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.nimble.batch.game").NimbleBatch(seats, options)
