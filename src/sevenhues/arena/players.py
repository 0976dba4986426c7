"""Players in the arena: bots by name or from files, networks, language models, and one that sees hidden information."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

from sevenhues.arena.language_model import LanguageModelBot, require_httpx, server_url
from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import find, make, perfect_information_bot
from sevenhues.core.bot_support import Bot, ReactionModel
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game

PEEK: Final = "peek"  # the name of the player that sees hidden information
NETWORK_PREFIXES: Final = ("net:", "look:")  # before the name of a network file
MODEL_PREFIX: Final = "model:"  # before the name of a language model
DIGEST_LENGTH: Final = 12  # hexadecimal digits


@dataclass(frozen=True)
class Player:
    """A bot in the arena. `file` and `attribute` are set for one from a file, `model` for a language model."""

    name: str  # of a level with a budget of its own: level@budget
    file: str = ""
    attribute: str = ""
    model: str = ""
    digest: str = ""  # of the file: another version of it is another player
    sees_hidden: bool = False  # is given the true position

    @property
    def key(self) -> str:
        """Return the name of the player in results."""
        return f"{self.name}@{self.digest}" if self.digest else self.name

    def make(self, game: Game[Any], budget: Budget) -> Bot:
        """Make the bot for one game."""
        if self.sees_hidden:
            return perfect_information_bot(game, budget)
        if self.model:
            return LanguageModelBot(game, self.model)
        if self.file and not self.attribute:
            make_network_bot = import_module("sevenhues.bots.network_bots").make
            kind = self.name.split(":")[0]
            network_bot: Bot = make_network_bot(kind, self.file, game, game.bot_support().heuristics(), budget)
            return network_bot
        if self.file:
            bot: Bot = _load_attribute(self.file, self.attribute)()
            return bot
        level, own_budget = _split_budget(self.name)
        return make(game, level, own_budget or budget)

    def reactions(self, game: Game[Any]) -> ReactionModel[Any]:
        """Return the reaction model for races: that of the level, or the default one for a bot without a level."""
        if self.file or self.model or (self.sees_hidden and not game.bot_support().levels()):
            return ReactionModel()
        if self.sees_hidden:
            return game.bot_support().levels()[-1].reactions
        return find(game, _split_budget(self.name)[0]).reactions


def parse_players(game: Game[Any], text: str) -> list[Player]:
    """Parse a list of players: a,b,c."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    return [_parse_player(game, name) for name in names]


def _parse_player(game: Game[Any], text: str) -> Player:
    """Parse a player: a level, a network as net:FILE or look:FILE, or a language model as model:NAME.

    A level may have a budget of its own: master@400 or master@200ms.
    """
    prefix, _, rest = text.partition(":")
    if text.startswith(NETWORK_PREFIXES):
        return Player(f"{prefix}:{Path(rest).stem}", rest, digest=_digest(rest))
    if text.startswith(MODEL_PREFIX):
        if not rest:
            raise BadOption("a language model is given as model:NAME")
        # Refuse a missing package or address before the match begins.
        require_httpx()
        server_url()
        return Player(text, model=rest)
    name, budget = _split_budget(text)
    level = find(game, name).name
    return Player(level if budget is None else f"{level}@{budget.text()}")


def _split_budget(text: str) -> tuple[str, Budget | None]:
    """Split level@budget into its parts; the budget is None for a level alone."""
    level, separator, budget = text.partition("@")
    return level, Budget.parse(budget) if separator else None


def player_from_file(text: str) -> Player:
    """Load a bot of the user: my.py:MyBot."""
    file, colon, attribute = text.rpartition(":")
    if not colon or not file or not attribute:
        raise BadOption(f"a bot from a file is given as FILE.py:CLASS, not {text!r}")
    digest = _digest(file)
    bot_class = _load_attribute(file, attribute)
    if not (isinstance(bot_class, type) and issubclass(bot_class, Bot)):
        raise BadOption(f"{text}: {attribute} is not a subclass of sevenhues.Bot")
    try:
        bot_class()
    except Exception as error:
        raise BadOption(f"{text}: {attribute}() failed: {type(error).__name__}: {error}") from error
    return Player(attribute, file, attribute, digest=digest)


def _digest(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()[:DIGEST_LENGTH]


@cache
def _load_attribute(file: str, attribute: str) -> Any:
    spec = spec_from_file_location(f"sevenhues_user_bot_{Path(file).stem}", file)
    if spec is None or spec.loader is None:
        raise BadOption(f"{file} is not a Python file")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadOption(f"{file} cannot be imported: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        raise BadOption(f"{file} has no {attribute}")
    return getattr(module, attribute)


def check_players(players: list[Player], seats: int) -> None:
    """Refuse too few players, and two of the same name."""
    names = [player.name for player in players]
    for name in names:
        if names.count(name) > 1:
            raise BadOption(f"the bot {name} is named twice")
    if len(names) < min(seats, 2):
        raise BadOption("a match needs two bots or more: --bots a,b")
