"""Shared Click parameters, input of records, and error output."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from sevenhues.bots.levels import levels
from sevenhues.core import record, registry
from sevenhues.core.errors import BadOption, BadRecord, InvalidRecord, shorten
from sevenhues.core.game import Game, resolve_options
from sevenhues.core.options import OptionValue, option_text
from sevenhues.core.resources import rules_languages
from sevenhues.render.ansi import printable

MAX_ERROR_LENGTH = 2000  # characters
SECONDS_PER_UNIT = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
MIN_DURATION_SECONDS = 1.0


class GameName(click.ParamType[Any]):
    """The id of a game, converted to the game."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game[Any]:
        try:
            return registry.load(value) if isinstance(value, str) else value
        except BadOption as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _completions(incomplete, registry.names())


class BotName(click.ParamType[str]):
    """The name of a bot, or several separated by commas, completed from the bots of the game."""

    name = "bot"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        names = dict.fromkeys(level.name for game in _possible_games(ctx) for level in levels(game))
        return _completions(last, names, before + comma)


class OptionPair(click.ParamType[str]):
    """NAME=VALUE, completed from the options of the game."""

    name = "option"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        options = [option for game in _possible_games(ctx) for option in game.options]
        pairs = [f"{option.name}={option_text(choice)}" for option in options for choice in option.choices]
        return _completions(incomplete, dict.fromkeys(pairs))


class Duration(click.ParamType[float]):
    """A time such as 90s, 30m, 24h or 7d, converted to seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, (int, float)):
            return float(value)
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smhd])", str(value).strip(), re.ASCII)
        seconds = float(match[1]) * SECONDS_PER_UNIT[match[2]] if match else 0.0
        if seconds < MIN_DURATION_SECONDS:
            self.fail(
                f"{shorten(str(value))} is not a time of a second or more, such as 90s, 30m, 24h or 7d", param, ctx
            )
        return seconds


class LanguageCode(click.ParamType[str]):
    """A language code, completed from the languages of the game's rules."""

    name = "code"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        codes = dict.fromkeys(code for game in _possible_games(ctx) for code in rules_languages(game))
        return _completions(incomplete, codes)


def _possible_games(ctx: click.Context) -> list[Game[Any]]:
    """Return the game of the command line, or all games if it names none yet."""
    game = ctx.params.get("game")
    return [game] if isinstance(game, Game) else [registry.load(name) for name in registry.names()]


def _completions(incomplete: str, values: Iterable[str], prefix: str = "") -> list[CompletionItem]:
    return [CompletionItem(prefix + value) for value in values if value.startswith(incomplete)]


def _complete_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


class ClusterAddress(click.ParamType[str]):
    """The address of a Ray cluster."""

    name = "cluster"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if re.fullmatch(r"ray|ray://[^/\s]+:\d+", str(value), re.ASCII) is None:
            self.fail(f"{value!r} is not a cluster: ray, or ray://HOST:PORT", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _completions(incomplete, ("ray", "ray://"))


GAME = click.argument("game", type=GameName(), help="The name of a game; see `sevenhues games`.")
FILE = click.argument("file", shell_complete=_complete_file, help='The record of a game (JSON); "-" is standard input.')
FILES = click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    shell_complete=_complete_file,
    help='Records of games (JSON); "-" is standard input.',
)
SEATS = click.option("--seats", type=int, help="The number of players; by default two, or the nearest possible.")
OPTION = click.option(
    "--option",
    "-o",
    "option_pairs",
    multiple=True,
    type=OptionPair(),
    metavar="NAME=VALUE",
    help="An option of the game; can be repeated.",
)
SEED = click.option("--seed", help="Any text; the same seed gives the same deal. By default random.")
JOBS = click.option("--jobs", type=click.IntRange(min=1), help="The number of processes; by default one.")
ON = click.option(
    "--on",
    "cluster",
    type=ClusterAddress(),
    metavar="ray[://HOST:PORT]",
    help="Run on a Ray cluster: the one at this address, the one that RAY_ADDRESS names, or that of this machine.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def read_options(game: Game[Any], pairs: tuple[str, ...]) -> dict[str, OptionValue]:
    """Parse NAME=VALUE pairs and fill in the defaults of the other options."""
    known = {option.name: option for option in game.options}
    chosen: dict[str, OptionValue] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise BadOption(f"an option is written as NAME=VALUE, not {pair!r}")
        if name in known:
            chosen[name] = known[name].read(value)
        else:
            resolve_options(game, {name: value})  # raises BadOption with the names of the options
    return resolve_options(game, chosen)


def new_seed() -> str:
    """Return a random seed that is short enough to type."""
    return os.urandom(8).hex()


def seed_bytes(seed: str) -> bytes:
    """Encode a seed of the command line; it may contain bytes that are not UTF-8."""
    return os.fsencode(seed)


def read_record(source: str) -> record.Record:
    """Read a record from a file, or from standard input for "-"."""
    return record.read(read_input(source))


def read_input(source: str) -> bytes:
    """Read a file, or standard input for "-"."""
    return sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()


def print_record_error(source: str, error: BadRecord | InvalidRecord) -> int:
    """Print the error of a record, and return the exit status."""
    if isinstance(error, BadRecord):
        return print_error(f"{source_name(source)}: not a record: {error}", 2)
    return print_error(f"{source_name(source)}: invalid: {error}", 1)


def check_ply(ply: int | None, last: int) -> int:
    """Return a ply of a record, by default the last one; raise UsageError if the record is shorter."""
    if ply is None:
        return last
    if not 0 <= ply <= last:
        raise click.UsageError(f"there is no ply {ply}: the record has plies 0 to {last}")
    return ply


def source_name(source: str) -> str:
    """Return the name of a file in messages."""
    return "standard input" if source == "-" else source or "''"


def use_colour() -> bool:
    """Tell whether to print colour to standard output (https://no-color.org, https://force-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def print_error(message: str, status: int) -> int:
    """Print an error in one line of limited length without control characters, and return the exit status."""
    line = printable(message.replace("\n", " "))
    shortened = line if len(line) <= MAX_ERROR_LENGTH else line[:MAX_ERROR_LENGTH] + "…"
    click.echo(f"sevenhues: {shortened}", err=True)
    return status
