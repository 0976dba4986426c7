"""Players that are programs."""

from sevenhues.bots.flat import FlatBot
from sevenhues.bots.greedy import GreedyBot, PolicyBot
from sevenhues.bots.hint import Hint, hints
from sevenhues.bots.ismcts import IsmctsBot
from sevenhues.bots.levels import find, levels, make, usual
from sevenhues.bots.random import RandomBot
from sevenhues.bots.think import Think

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
