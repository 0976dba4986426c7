"""Bots by name: general searches that play any game, and the levels that a game offers."""

from importlib import import_module
from typing import Any, Final

from sevenhues.bots.budget import Budget
from sevenhues.bots.flat_monte_carlo import FlatMonteCarloBot
from sevenhues.bots.greedy import GreedyBot, PolicyBot
from sevenhues.bots.ismcts import IsmctsBot
from sevenhues.bots.random import RandomBot
from sevenhues.bots.search import Searcher
from sevenhues.core.bot_support import NETWORK_FILE, Bot, Heuristics, Level
from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.game import Game
from sevenhues.core.resources import resource_path

DEFAULT_BUDGET: Final = "200ms"
NETWORK_SEARCHES: Final = ("net", "look")  # they need NumPy, which is imported only when one of them is made
# Search methods that do not score moves, and the method that scores moves in their place.
EVALUATING_SEARCH: Final = {"random": "flat", "policy": "flat", "net": "look"}

GENERAL_LEVELS: Final = {
    "random": "Plays random moves.",
    "greedy": "Plays the move that looks best right now and looks no further.",
    "flat": "Plays every move out many times, guessing what is hidden.",
    "ismcts": "Searches many moves ahead, guessing what is hidden.",
}


def levels(game: Game[Any]) -> list[Level]:
    """List a game's bots, the weakest first: the general searches, then the game's own levels."""
    heuristics = game.bot_support().heuristics()
    general = [Level(name, about, name, heuristics) for name, about in GENERAL_LEVELS.items()]
    return general + game.bot_support().levels()


def find(game: Game[Any], name: str) -> Level:
    """Return a level by its name."""
    known = levels(game) + game.bot_support().benchmark_levels()
    for level in known:
        if level.name == name:
            return level
    names = ", ".join([level.name for level in known])
    raise BadOption(f"{game.title} has no bot {shorten(name)}; its bots: {names}")


def default_level(game: Game[Any]) -> str:
    """Return the level that is used if none is named: of medium strength."""
    own = game.bot_support().levels()
    return own[len(own) // 2 - 1].name if own else "greedy"


def make(game: Game[Any], name: str, budget: object = DEFAULT_BUDGET) -> Bot:
    """Make a bot for one seat of one game, by its name, with a budget that `Budget.of` understands."""
    level = find(game, name)
    return build(game, level.search, level.heuristics, Budget.of(budget), level.max_simulations, False)


def make_evaluator(game: Game[Any], level: Level, budget: Budget, max_simulations: int) -> Searcher:
    """Make a level as a bot that scores every move."""
    search = EVALUATING_SEARCH.get(level.search, level.search)
    bot = build(game, search, level.heuristics, budget, max_simulations, False)
    assert isinstance(bot, Searcher)
    return bot


def perfect_information_bot(game: Game[Any], budget: Budget) -> Bot:
    """Make the game's best search (or a tree search) as one that sees hidden information."""
    support = game.bot_support()
    own = [level for level in support.levels() + support.benchmark_levels() if level.search not in NETWORK_SEARCHES]
    if own:
        return build(game, own[-1].search, own[-1].heuristics, budget, own[-1].max_simulations, True)
    return build(game, "ismcts", support.heuristics(), budget, 0, True)


def build(
    game: Game[Any],
    search: str,
    heuristics: Heuristics[Any],
    budget: Budget,
    max_simulations: int,
    sees_hidden: bool,
) -> Bot:
    """Make a bot that uses one of the search methods."""
    if search == "random":
        return RandomBot()
    if search == "policy":
        return PolicyBot(heuristics)
    if search == "greedy":
        return GreedyBot(heuristics, budget, max_simulations, sees_hidden)
    if search == "flat":
        return FlatMonteCarloBot(heuristics, budget, max_simulations, sees_hidden)
    if search == "ismcts":
        return IsmctsBot(heuristics, budget, max_simulations, sees_hidden)
    if search in NETWORK_SEARCHES:
        make_network_bot = import_module("sevenhues.bots.network_bots").make
        file = str(resource_path(game, NETWORK_FILE))
        network_bot: Bot = make_network_bot(search, file, game, heuristics, budget, max_simulations, sees_hidden)
        return network_bot
    raise ValueError(f"unknown search method {search!r}")
