"""Who plays in the arena: a game's bots by name, a network or a bot from a file, or one that peeks."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from sevenhues.bots.budget import Think
from sevenhues.bots.levels import find, make, peeking
from sevenhues.core.bot_support import Bot, ReactionModel
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game

PEEK = "peek"
BY_NET = ("net:", "look:")  # then a file: ways to play by a network that sevenhues.nets.player knows


@dataclass(frozen=True)
class Entrant:
    """A bot in the arena; `file` and `attribute` say where one from outside comes from."""

    name: str
    file: str = ""
    attribute: str = ""
    digest: str = ""  # of the file: another version of it is another bot
    peeks: bool = False  # is shown the truth

    @property
    def key(self) -> str:
        """Name it in results."""
        return f"{self.name}@{self.digest}" if self.digest else self.name

    def make(self, game: Game[Any], think: Think) -> Bot:
        """Make it for one game."""
        if self.peeks:
            return peeking(game, think)
        if self.file and not self.attribute:
            by_net = import_module("sevenhues.nets.player").make
            made: Bot = by_net(self.name.split(":")[0], self.file, game, game.bot_support().heuristics(), think)
            return made
        if self.file:
            bot: Bot = _class(self.file, self.attribute)()
            return bot
        return make(game, self.name, think)

    def pace(self, game: Game[Any]) -> ReactionModel[Any]:
        """Return how fast it acts in a race: as its level; one from outside like those that know any game."""
        if self.file or (self.peeks and not game.bot_support().levels()):
            return ReactionModel()
        return game.bot_support().levels()[-1].reactions if self.peeks else find(game, self.name).reactions


def named(game: Game[Any], names: str) -> list[Entrant]:
    """Read bots as a person lists them: a,b,c."""
    given = [name.strip() for name in names.split(",") if name.strip()]
    return [_network(name) if name.startswith(BY_NET) else Entrant(find(game, name).name) for name in given]


def _network(given: str) -> Entrant:
    """Read a player by a network: net:FILE or look:FILE."""
    kind, _, file = given.partition(":")
    digest = sha256(Path(file).read_bytes()).hexdigest()[:12]
    return Entrant(f"{kind}:{Path(file).stem}", file, "", digest)


def from_file(given: str) -> Entrant:
    """Read a bot from outside: my.py:MyBot."""
    file, colon, attribute = given.rpartition(":")
    if not colon or not file or not attribute:
        raise BadOption(f"a bot from outside is given as FILE.py:CLASS, not {given!r}")
    digest = sha256(Path(file).read_bytes()).hexdigest()[:12]
    found = _class(file, attribute)
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise BadOption(f"{given}: {attribute} is no subclass of sevenhues.Bot")
    try:
        found()
    except Exception as error:
        raise BadOption(f"{given}: {attribute}() failed: {type(error).__name__}: {error}") from error
    return Entrant(attribute, file, attribute, digest)


@cache
def _class(file: str, attribute: str) -> Any:
    spec = spec_from_file_location(f"sevenhues_outside_{Path(file).stem}", file)
    if spec is None or spec.loader is None:
        raise BadOption(f"{file} is no Python file")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadOption(f"{file} cannot be imported: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        raise BadOption(f"{file} has no {attribute}")
    return getattr(module, attribute)


def check(entrants: list[Entrant], seats: int) -> None:
    """Refuse too few, and two of one name."""
    names = [entrant.name for entrant in entrants]
    for name in names:
        if names.count(name) > 1:
            raise BadOption(f"the bot {name} is named twice")
    if len(names) < min(seats, 2):
        raise BadOption("a match takes two bots or more: --bots a,b")
