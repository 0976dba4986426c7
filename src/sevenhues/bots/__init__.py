"""Bots: computer players for any game."""

from sevenhues.bots.budget import Budget
from sevenhues.bots.flat_monte_carlo import FlatMonteCarloBot
from sevenhues.bots.greedy import GreedyBot, PolicyBot
from sevenhues.bots.hints import Hint, hints
from sevenhues.bots.ismcts import IsmctsBot
from sevenhues.bots.levels import default_level, find, levels, make
from sevenhues.bots.random import RandomBot

__all__ = [
    "Budget",
    "FlatMonteCarloBot",
    "GreedyBot",
    "Hint",
    "IsmctsBot",
    "PolicyBot",
    "RandomBot",
    "default_level",
    "find",
    "hints",
    "levels",
    "make",
]
