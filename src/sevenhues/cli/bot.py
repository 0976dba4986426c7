"""The commands `bot …`: keeping a bot account online."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from sevenhues.arena import players
from sevenhues.bots.budget import Budget
from sevenhues.cli.extras import requires_play
from sevenhues.cli.help_format import Command, Subcommands
from sevenhues.cli.params import BotName, GameName
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game

TOKEN_VARIABLE = "SEVENHUES_BOT_TOKEN"
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


@click.group(
    "bot",
    cls=Subcommands,
    short_help="Keep a bot account online at a server.",
    examples=[("sevenhues bot serve --help", "See how to keep a bot online.")],
)
def bot() -> None:
    """Keep a bot account online at a server. Create the account and its token in the browser, at "Your bots"."""


def _refuse_token(context: click.Context, param: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise BadOption(f"others can see a command line: give the token in --token-file or in {TOKEN_VARIABLE}")


@bot.command(
    cls=Command,
    short_help="Accept challenges and play, until stopped.",
    sections={
        "Server": ["url", "token_file", "token"],
        "Player": ["game_names", "level", "file", "budget", "jobs"],
        "Games": ["max_tables", "join", "min_move_ms", "finish_seconds"],
    },
    exit_statuses=(
        ("0", "It was stopped by Ctrl-C or SIGTERM."),
        ("2", "It could not start, or its token was revoked; a message says why."),
    ),
    examples=[
        ("sevenhues bot serve --url https://example.org --token-file token --game rainbow --level expert", "A level."),
        ("sevenhues bot serve --token-file token --game nimble --bot mine.py:Mine --join", "Your own bot."),
    ],
)
@click.option("--url", default="http://127.0.0.1:8777", show_default=True, help="The address of the server.")
@click.option(
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
    help=f'A file with the token; "-" is standard input. By default the variable {TOKEN_VARIABLE} has it.',
)
@click.option("--token", callback=_refuse_token, expose_value=False, hidden=True, help="Refused: use --token-file.")
@click.option(
    "--game",
    "game_names",
    multiple=True,
    required=True,
    type=GameName(),
    help="A game that the bot plays; can be repeated.",
)
@click.option("--level", type=BotName(), help="A bot by name (see `sevenhues bots GAME`), also as NAME@400.")
@click.option("--bot", "file", metavar="FILE.py:CLASS", help="Your own bot.")
@click.option("--budget", default="200ms", show_default=True, help="The search budget per move: a time or simulations.")
@click.option("--jobs", type=click.IntRange(min=1), help="Worker processes in which the bot searches; by default one.")
@click.option(
    "--max-tables", default=8, show_default=True, type=click.IntRange(1, 32), help="The most games at a time."
)
@click.option("--join", is_flag=True, help="Also join open tables that welcome bots.")
@click.option(
    "--min-move-ms",
    default=700,
    show_default=True,
    type=click.IntRange(0),
    help="The least time of a move, in milliseconds, so that people can follow.",
)
@click.option(
    "--finish-seconds",
    default=60.0,
    show_default=True,
    type=click.FloatRange(0),
    help="How long games are played on after SIGTERM or Ctrl-C.",
)
def serve(
    url: str,
    token_file: Path | None,
    game_names: tuple[Game[Any], ...],
    level: str | None,
    file: str | None,
    budget: str,
    jobs: int | None,
    max_tables: int,
    join: bool,
    min_move_ms: int,
    finish_seconds: float,
) -> None:
    """Keep a bot account online: accept challenges, play at many tables at once, and connect again after a break.

    On SIGTERM or Ctrl-C it accepts no more games and finishes those in play. Games that take longer than
    --finish-seconds stay at the server, where their clocks run, and go on when the bot is started again. A second
    signal ends it at once.
    """
    with requires_play("a bot at a server"):
        from sevenhues.bot_runner.choosing import Workers
        from sevenhues.bot_runner.runner import BotRunner, RunnerSettings
        from sevenhues.client import Client

    player = _player(game_names, level, file)
    Budget.parse(budget)
    token = _read_token(token_file)
    address = _check_url(url)
    settings = RunnerSettings([game.id for game in game_names], max_tables, join, min_move_ms / 1000, finish_seconds)

    async def play() -> None:
        workers = Workers(jobs or 1, player, budget)
        try:
            async with Client(address, token=token) as client:
                runner = BotRunner(client, workers, settings, _report)
                _report(f"{client.me.name} is online at {address} (Ctrl-C stops it).")
                loop = asyncio.get_running_loop()
                for number in (signal.SIGTERM, signal.SIGINT):
                    loop.add_signal_handler(number, _stop, runner)
                await runner.run()
        finally:
            workers.close()

    asyncio.run(play())


def _stop(runner: Any) -> None:
    """Stop the runner on the first signal; the second one ends the process."""
    runner.stop()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)


def _player(games: tuple[Game[Any], ...], level: str | None, file: str | None) -> players.Player:
    """Return the bot that plays, as the arena loads it."""
    if (level is None) == (file is None):
        raise BadOption("give either --level or --bot")
    if file is not None:
        return players.player_from_file(file)
    parsed = [players.parse_players(game, level or "") for game in games]
    if any(len(one) != 1 for one in parsed):
        raise BadOption(f"--level takes the name of one bot, not {level!r}")
    return parsed[0][0]


def _read_token(file: Path | None) -> str:
    if file is None:
        token = os.environ.get(TOKEN_VARIABLE, "")
        source = TOKEN_VARIABLE
    else:
        token = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8", errors="replace")
        source = "standard input" if str(file) == "-" else str(file)
    token = token.strip()
    if not token:
        raise BadOption(f"there is no token: give a --token-file, or set {TOKEN_VARIABLE}")
    if not token.startswith("shbot_") or not token.isascii() or len(token.split()) != 1:
        raise BadOption(f"{source} does not hold a bot token, which begins with shbot_")
    return token


def _check_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadOption(f"--url is the address of a server such as https://example.org, not {url!r}")
    if parts.scheme == "http" and parts.hostname not in LOCAL_HOSTS:
        _report("Warning: over http:// everybody between you and the server can read the token. Use https://.")
    return url.rstrip("/")


def _report(line: str) -> None:
    click.echo(line, err=True)
