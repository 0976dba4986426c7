"""What commands are given, and how they speak: games, options, records, colour."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from sevenhues.bots.levels import levels
from sevenhues.core import record, registry
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, OptionValue, option_text

MOST_SAID = 2000  # characters of a message


class GameName(click.ParamType[Any]):
    """The id of a game, given as the game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game[Any]:
        try:
            return registry.load(value) if isinstance(value, str) else value
        except BadOption as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _starting(incomplete, registry.names())


class BotName(click.ParamType[str]):
    """The name of a bot, completed from those that play the game; several between commas."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        known = dict.fromkeys(level.name for game in _meant(ctx) for level in levels(game))
        return _starting(last, known, before + comma)


class OptionPair(click.ParamType[str]):
    """NAME=VALUE, completed from the options of the game."""

    name = "option"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        options = [option for game in _meant(ctx) for option in game.options]
        pairs = [f"{option.name}={option_text(choice)}" for option in options for choice in option.choices]
        return _starting(incomplete, dict.fromkeys(pairs))


class Language(click.ParamType[str]):
    """A language's code, completed from those that the rules of the game are in."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _starting(incomplete, dict.fromkeys(tag for game in _meant(ctx) for tag in game.languages()))


def _meant(ctx: click.Context) -> list[Game[Any]]:
    """List the game that was given, or all of them where none is given yet."""
    given = ctx.params.get("game")
    return [given] if isinstance(given, Game) else [registry.load(name) for name in registry.names()]


def _starting(incomplete: str, values: Iterable[str], before: str = "") -> list[CompletionItem]:
    return [CompletionItem(before + value) for value in values if value.startswith(incomplete)]


def _files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


GAME = click.argument("game", type=GameName(), help="A game's name; `sevenhues games` lists them.")
FILE = click.argument("file", shell_complete=_files, help='A record of a game, as JSON; "-" is standard input.')
FILES = click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    shell_complete=_files,
    help='Records of games, as JSON; "-" is standard input.',
)
SEATS = click.option("--seats", type=int, help="How many play; by default two, or as few as the game needs.")
OPTION = click.option(
    "--option",
    "-o",
    "given",
    multiple=True,
    type=OptionPair(),
    metavar="NAME=VALUE",
    help="An option of the game; may be given again.",
)
SEED = click.option("--seed", help="Any text; the same seed deals the same cards. By default a new one.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def read_options(game: Game[Any], given: tuple[str, ...]) -> dict[str, OptionValue]:
    """Read NAME=VALUE pairs."""
    known = {option.name: option for option in game.options}
    chosen: dict[str, OptionValue] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"an option is given as NAME=VALUE, not {pair!r}")
        if name in known:
            chosen[name] = known[name].read(value)
        else:
            game.settle({name: value})
    return game.settle(chosen)


def new_seed() -> str:
    """Make a seed that nobody can guess, short enough to tell a friend."""
    return os.urandom(8).hex()


def seed_bytes(seed: str) -> bytes:
    """Return what a seed on the command line deals from, whatever it is made of."""
    return os.fsencode(seed)


def read_record(source: str) -> record.Record:
    """Read the record in a file, or from standard input for "-"."""
    data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    return record.read(data)


def source_name(source: str) -> str:
    """Name a file in a message."""
    return "standard input" if source == "-" else source or "''"


def colour_wanted() -> bool:
    """Tell whether standard output shows colour (https://no-color.org, https://force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def complain(message: str, status: int) -> int:
    """Tell what went wrong in a line, whatever was in it, and return the status to end with."""
    line = clean(message.replace("\n", " "))
    cut = line if len(line) <= MOST_SAID else line[:MOST_SAID] + "…"
    click.echo(f"sevenhues: {cut}", err=True)
    return status


def clean(text: str) -> str:
    """Make a text from outside safe to print: no control characters."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
