"""What Flip & Slide offers bots, learners and analysis."""

from importlib import import_module
from typing import Any

from sevenhues.core.bot_support import BotSupport, Heuristics, Level
from sevenhues.core.options import Options
from sevenhues.games.flip_and_slide.bots import heuristics
from sevenhues.games.flip_and_slide.rules import FlipAndSlidePosition


class FlipAndSlideBotSupport(BotSupport[FlipAndSlidePosition]):
    """Levels, heuristics and the batched game."""

    def heuristics(self) -> Heuristics[FlipAndSlidePosition]:
        return heuristics.FlipAndSlideHeuristics()

    def levels(self) -> list[Level]:
        return heuristics.levels()

    def batch(self, seats: int, options: Options) -> Any:
        return import_module("sevenhues.games.flip_and_slide.batch.game").FlipAndSlideBatch(seats, options)
