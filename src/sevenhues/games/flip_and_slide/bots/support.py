"""What Flip & Slide offers bots, learners and analysis."""

from importlib import import_module
from typing import Any

from sevenhues.core.bot_support import BotSupport, Heuristics, Level
from sevenhues.core.options import Options
from sevenhues.games.flip_and_slide.bots import heuristics
from sevenhues.games.flip_and_slide.bots.distance import MAX_DISTANCE, distance
from sevenhues.games.flip_and_slide.bots.search_board import SearchBoard
from sevenhues.games.flip_and_slide.rules import ACT, FlipAndSlidePosition


class FlipAndSlideBotSupport(BotSupport[FlipAndSlidePosition]):
    """Levels, heuristics and the batched game."""

    def heuristics(self) -> Heuristics[FlipAndSlidePosition]:
        return heuristics.FlipAndSlideHeuristics()

    def levels(self) -> list[Level]:
        return heuristics.levels()

    def potential(self, position: FlipAndSlidePosition, seat: int) -> float:
        """Return the negative distance of the seat from a rainbow, from -1 to 0.

        The distance of the opponents is left out: a chain that the seat builds serves them as well, so the difference
        of two distances is at most the cost of touching a chain.
        """
        if position.phase != ACT:
            return 0.0
        board = SearchBoard(position, False)
        return -distance(board, board.tiles + seat) / MAX_DISTANCE

    def batch(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.flip_and_slide.batch.game").FlipAndSlideBatch(seats, options)
