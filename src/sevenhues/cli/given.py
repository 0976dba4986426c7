"""What commands are given, and how they speak: games, options, records, colour."""

import os
import sys
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from sevenhues.core import record, registry
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game, OptionValue

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
        return [CompletionItem(name) for name in registry.names() if name.startswith(incomplete)]


GAME = click.argument("game", type=GameName())
SEATS = click.option("--seats", type=int, help="How many play; by default two, or as few as the game needs.")
OPTION = click.option("--option", "-o", "given", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
SEED = click.option("--seed", help="Any text; the same seed deals the same cards. By default a new one.")


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
