"""Players that are programs."""

from sevenhues.bots.budget import Think
from sevenhues.bots.flat_monte_carlo import FlatBot
from sevenhues.bots.greedy import GreedyBot, PolicyBot
from sevenhues.bots.hints import Hint, hints
from sevenhues.bots.ismcts import IsmctsBot
from sevenhues.bots.levels import find, levels, make, usual
from sevenhues.bots.random import RandomBot

__all__ = [
    "FlatBot",
    "GreedyBot",
    "Hint",
    "IsmctsBot",
    "PolicyBot",
    "RandomBot",
    "Think",
    "find",
    "hints",
    "levels",
    "make",
    "usual",
]
