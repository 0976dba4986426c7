"""The command `play`: play in the terminal, at a local table or at a server's."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import click
from platformdirs import user_data_path

from sevenhues.bots import default_level, find
from sevenhues.cli.extras import requires_play
from sevenhues.cli.help_format import Command
from sevenhues.cli.line_mode import LineModeGame
from sevenhues.cli.params import (
    OPTION,
    SEED,
    BotName,
    GameName,
    LanguageCode,
    new_seed,
    read_options,
    read_record,
    seed_bytes,
)
from sevenhues.core import record
from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.game import Game, check_seats, default_seats
from sevenhues.core.play import deal
from sevenhues.core.position import Position
from sevenhues.core.resources import ENGLISH
from sevenhues.core.rng import Rng
from sevenhues.render.ansi import printable
from sevenhues.render.canvas import YOU
from sevenhues.terminal.local import BOT_PREFIX, LocalSession

ME = "me"


@click.command(
    cls=Command,
    short_help="Play in the terminal against bots or other people.",
    sections={"At a server": ["link", "name"]},
    examples=[
        ("sevenhues play rainbow", "Play against a bot of medium strength."),
        ("sevenhues play flip-and-slide --seats 1", "Play alone."),
        ("sevenhues play rainbow-road --bot master --save game.json", "Play the strongest bot and save the record."),
        ("sevenhues play --resume game.json", "Continue a saved game."),
        ("sevenhues play rainbow --seats me:Ada,me:Ben", "Two players share the screen."),
        ("sevenhues play --join https://hues.example/t/amber-fox-42", "Join a table by its invitation link."),
    ],
)
@click.argument(
    "game", type=GameName(), required=False, help="The name of a game; not needed with --join and --resume."
)
@click.option("--seats", "seat_list", help="The number of players, or a list such as me,bot:master or me:Ada,me:Ben.")
@click.option(
    "--bot", "level", type=BotName(), help="The opponent, a bot of `sevenhues bots GAME`; by default a medium one."
)
@click.option("--seat", default=0, show_default=True, help="Your seat, unless --seats lists the players.")
@OPTION
@SEED
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="The file for the record.")
@click.option("--resume", metavar="FILE", help="Continue the game of a record.")
@click.option("--join", "link", metavar="URL", help="Join a server's table by its link, or watch if it is full.")
@click.option("--name", help="Your name at the server.")
@click.option(
    "--language", type=LanguageCode(), default=ENGLISH, help="The language of the rules, such as nl, de or ja."
)
@click.option("--plain", is_flag=True, help="Use line mode, as in a pipe.")
def play(
    game: Game[Any] | None,
    seat_list: str | None,
    level: str | None,
    seat: int,
    option_pairs: tuple[str, ...],
    seed: str | None,
    save: Path | None,
    resume: str | None,
    link: str | None,
    name: str | None,
    language: str,
    plain: bool,
) -> None:
    """Play GAME in the terminal: against bots, with others at this screen, or at a server's table.

    Pick on the board with the mouse or with Tab, arrows and Enter, or type a move. F1 shows the rules, F2 a hint.
    Between players who share the screen, a curtain hides the table. Without a terminal, the game is in line mode.
    """
    full_screen = not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if link is not None:
        if not full_screen:
            raise click.UsageError("--join needs a terminal; use sevenhues.client in scripts")
        with requires_play("a server's table"):
            from sevenhues.terminal.run import run_remote
        run_remote(link, name, language)
        return
    if resume is not None:
        game_record = read_record(resume)
        if game is not None and game_record.game.id != game.id:
            raise BadOption(f"{printable(resume)} is a record of {game_record.game.title}, not of {game.title}")
        if save is None and resume != "-":
            save = Path(resume)
    else:
        if game is None:
            raise click.UsageError("name a game (`sevenhues games` lists them), or use --join URL or --resume FILE")
        options = read_options(game, option_pairs)
        seed = new_seed() if seed is None else seed
        names = parse_seats(game, seat_list, seat, level)
        game_record = record.begin(game, deal(game, seed_bytes(seed), len(names), options), options, names)
    if full_screen:
        _play_full_screen(game_record, save, language)
    else:
        _play_line_mode(game_record, save, Rng.seeded(seed or new_seed()))


def parse_seats(game: Game[Any], seat_list: str | None, seat: int, level: str | None) -> list[str]:
    """Return the names of the seats in a record: the names of players and the levels of bots."""
    bot = BOT_PREFIX + find(game, level or default_level(game)).name
    if seat_list is None or seat_list.isdecimal():
        count = check_seats(game, int(seat_list)) if seat_list else default_seats(game)
        if not 0 <= seat < count:
            raise click.UsageError(f"there is no seat {seat}: the seats are 0 to {count - 1}")
        return [YOU if other == seat else bot for other in range(count)]
    entries = [entry.strip() for entry in seat_list.split(",")]
    check_seats(game, len(entries))
    alone = [entry.partition(":")[0] for entry in entries].count(ME) == 1
    return [_parse_seat(game, entry, i, YOU if alone else f"seat {i}", bot) for i, entry in enumerate(entries)]


def _parse_seat(game: Game[Any], entry: str, seat: int, default_name: str, default_bot: str) -> str:
    kind, _, name = entry.partition(":")
    if kind == ME and not name.startswith(BOT_PREFIX):
        return name or default_name
    if kind == "bot":
        return BOT_PREFIX + find(game, name).name if name else default_bot
    raise BadOption(f"seat {seat} is me, me:NAME, bot or bot:LEVEL, not {shorten(entry)}")


def _play_line_mode(game_record: record.Record, save: Path | None, rng: Rng) -> None:
    game = LineModeGame(game_record, rng)
    if save is not None:
        save.write_text(record.write(game_record), encoding="utf-8")  # fails before the game if the file is unwritable
    try:
        game.run()
    finally:
        if save is not None:
            save.write_text(record.write(game_record), encoding="utf-8")
            click.echo(f"The record is in {save}.")


def _play_full_screen(game_record: record.Record, save: Path | None, language: str) -> None:
    """Play in the terminal app. Without a file, the record is saved in the user's data directory."""
    with requires_play("the full-screen terminal (--plain is line mode)"):
        from sevenhues.terminal.run import run_local

    file = save
    if file is None:
        folder = user_data_path("sevenhues", ensure_exists=True) / "games"
        folder.mkdir(exist_ok=True)
        file = folder / f"{game_record.game.id}-{time.time_ns()}.json"

    def deal_next(winners: list[int] | None) -> Position:
        position: Position = deal(
            game_record.game, seed_bytes(new_seed()), len(game_record.seats), game_record.options, winners
        )
        return position

    session = LocalSession(game_record, file, deal_next)
    try:
        run_local(session, language)
    finally:
        if save is None and not session.record.moves:
            file.unlink(missing_ok=True)
        else:
            click.echo(f"The record is in {file}.")
            if session.record.result is None:
                click.echo(f"To continue: sevenhues play --resume '{file}'")
