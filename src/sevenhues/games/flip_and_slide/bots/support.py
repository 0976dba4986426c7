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
        """Return how much nearer to a rainbow the seat is than its nearest opponent; alone, how near it is."""
        if position.phase != ACT:
            return 0.0
        board = SearchBoard(position, False)
        nearness = [1.0 - distance(board, board.tiles + each) / MAX_DISTANCE for each in range(position.seats)]
        mine = nearness.pop(seat)
        return mine - max(nearness) if nearness else mine

    def batch(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.flip_and_slide.batch.game").FlipAndSlideBatch(seats, options)
