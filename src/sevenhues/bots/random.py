"""A bot that plays at random: the baseline of all measurements."""

from sevenhues.core.bot_support import Bot
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng


class RandomBot(Bot):
    """Plays uniformly random legal moves."""

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        return position.pick(seat, rng)
