"""A bot that plays at random: the baseline of all measurements."""

from typing import ClassVar

from sevenhues.core.bot_support import Bot
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng


class RandomBot(Bot):
    """Plays uniformly random legal moves."""

    plays_at_random: ClassVar[bool] = True

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        return position.pick(seat, rng)
