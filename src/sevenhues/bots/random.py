"""The bot that everything else is measured against."""

from sevenhues.core.bot_support import Bot
from sevenhues.core.position import Position
from sevenhues.core.rng import Rng


class RandomBot(Bot):
    """Plays any legal move, all equally likely."""

    def choose(self, position: Position, seat: int, rng: Rng) -> int:
        return position.pick(seat, rng)
