"""Bots by name: those that know any game, and the levels that a game offers."""

from importlib import import_module
from typing import Any, Final

from sevenhues.bots.budget import Think
from sevenhues.bots.flat_monte_carlo import FlatBot
from sevenhues.bots.greedy import GreedyBot, PolicyBot
from sevenhues.bots.ismcts import IsmctsBot
from sevenhues.bots.random import RandomBot
from sevenhues.bots.search import Searcher
from sevenhues.core.bot_support import NETWORK_FILE, Bot, Heuristics, Level
from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.game import Game
from sevenhues.core.resources import resource_path

THINK: Final = "200ms"  # unless told otherwise
BY_NET: Final = ("net", "look")  # ways to play by a network, which need NumPy and are not loaded before
WEIGHS: Final = {"random": "flat", "policy": "flat", "net": "look"}  # what weighs moves for ways to play that do not

GENERAL: Final = {
    "random": "plays any legal move, all equally likely",
    "greedy": "makes the move after which it stands best, and looks no further",
    "flat": "plays every move out many times over what may be hidden",
    "ismcts": "searches the tree of what it knows and what may follow",
}


def levels(game: Game[Any]) -> list[Level]:
    """List a game's bots, the weakest first: those for any game, then the game's own levels."""
    own = game.bot_support().levels()
    guide = game.bot_support().heuristics()
    return [Level(name, about, name, guide) for name, about in GENERAL.items()] + own


def find(game: Game[Any], name: str) -> Level:
    """Return a bot's description by its name."""
    known = levels(game) + game.bot_support().benchmark_levels()
    for level in known:
        if level.name == name:
            return level
    names = ", ".join([level.name for level in known])
    raise BadOption(f"{game.title} has no bot {shorten(name)}; its bots: {names}")


def usual(game: Game[Any]) -> str:
    """Name the bot that somebody meets who asks for none: a fair player, neither weak nor strong."""
    own = game.bot_support().levels()
    return own[len(own) // 2 - 1].name if own else "greedy"


def make(game: Game[Any], name: str, think: Think | str = THINK) -> Bot:
    """Make a bot for one seat of one game, by its name."""
    level = find(game, name)
    budget = Think.read(think) if isinstance(think, str) else think
    return build(game, level.search, level.heuristics, budget, level.max_simulations, False)


def weighing(game: Game[Any], level: Level, think: Think, most: int) -> Searcher:
    """Make a level as one that weighs moves."""
    bot = build(game, WEIGHS.get(level.search, level.search), level.heuristics, think, most, False)
    assert isinstance(bot, Searcher)
    return bot


def peeking(game: Game[Any], think: Think) -> Bot:
    """Make the game's best search (or a tree search) take what it is shown for the truth."""
    own = [
        level
        for level in game.bot_support().levels() + game.bot_support().benchmark_levels()
        if level.search not in BY_NET
    ]
    if own:
        return build(game, own[-1].search, own[-1].heuristics, think, own[-1].max_simulations, True)
    return build(game, "ismcts", game.bot_support().heuristics(), think, 0, True)


def build(game: Game[Any], search: str, guide: Heuristics[Any], think: Think, most: int, peeks: bool) -> Bot:
    """Make a bot that searches in one of the ways there are."""
    if search == "random":
        return RandomBot()
    if search == "policy":
        return PolicyBot(guide)
    if search == "greedy":
        return GreedyBot(guide, think, most, peeks)
    if search == "flat":
        return FlatBot(guide, think, most, peeks)
    if search == "ismcts":
        return IsmctsBot(guide, think, most, peeks)
    if search in BY_NET:
        make_by_net = import_module("sevenhues.nets.player").make
        by_net: Bot = make_by_net(search, str(resource_path(game, NETWORK_FILE)), game, guide, think, most, peeks)
        return by_net
    raise ValueError(f"there is no way to search called {search!r}")
