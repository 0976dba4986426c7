"""Seven Hues: four rainbow-themed tabletop games with exact rules.

>>> import sevenhues
>>> game = sevenhues.load("rainbow")
>>> position = sevenhues.deal(game, seed=b"a seed")
>>> seat = position.to_act()[0]
>>> position.play(seat, position.legal(seat)[0])
"""

from sevenhues.core import rng
from sevenhues.core.bot_support import Bot
from sevenhues.core.game import Game
from sevenhues.core.options import Option
from sevenhues.core.play import deal, playout, quick_deal
from sevenhues.core.position import WATCHER, Outcome, Position
from sevenhues.core.registry import load, names
from sevenhues.core.rng import Dealer, Rng

__version__ = "0.1.0"
COMPILED = not str(rng.__file__).endswith(".py")  # whether the rules are compiled

__all__ = [
    "COMPILED",
    "WATCHER",
    "Bot",
    "Dealer",
    "Game",
    "Option",
    "Outcome",
    "Position",
    "Rng",
    "deal",
    "load",
    "names",
    "playout",
    "quick_deal",
]
