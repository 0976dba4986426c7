"""Playing in the terminal: `play`, at a table dealt here or at one of a server."""

import os
import sys
import time
from pathlib import Path
from typing import Any

import click
from platformdirs import user_data_path

from sevenhues.bots import find, usual
from sevenhues.cli.help_format import Page
from sevenhues.cli.line_mode import Table
from sevenhues.cli.params import (
    OPTION,
    SEED,
    BotName,
    GameName,
    Language,
    clean,
    new_seed,
    read_options,
    read_record,
    seed_bytes,
)
from sevenhues.core import record
from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.game import ENGLISH, Game, Position
from sevenhues.core.play import deal
from sevenhues.core.rng import Rng
from sevenhues.render.canvas import YOU
from sevenhues.terminal.local import BOT, Local

ME = "me"


@click.command(
    cls=Page,
    short_help="Play in the terminal, against bots, with friends or at a server.",
    sections={"At a server": ["link", "name"]},
    examples=[
        ("sevenhues play rainbow", "Against a fair player."),
        ("sevenhues play flip-and-slide --seats 1", "Alone against the meadow."),
        ("sevenhues play rainbow-road --bot master --save game.json", "Against the strongest, and keep the record."),
        ("sevenhues play --resume game.json", "Go on where it stood."),
        ("sevenhues play rainbow --seats me:Ada,me:Ben", "Two at one screen, with a curtain between them."),
        ("sevenhues play --join https://hues.example/t/amber-fox-42", "At the table somebody invited you to."),
    ],
)
@click.argument("game", type=GameName(), required=False, help="A game's name; --join and --resume need none.")
@click.option("--seats", "who", help="How many play, or who: a list such as me,bot:master or me:Ada,me:Ben.")
@click.option(
    "--bot", "level", type=BotName(), help="Whom you meet: a bot of `sevenhues bots GAME`; by default a fair player."
)
@click.option("--seat", default=0, show_default=True, help="Where you sit, if --seats does not say.")
@OPTION
@SEED
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Keep the record here.")
@click.option("--resume", metavar="FILE", help="Go on with the game of a record.")
@click.option("--join", "link", metavar="URL", help="Sit down at a server's table by its link, or watch if it is full.")
@click.option("--name", help="What others call you at a server.")
@click.option("--language", type=Language(), default=ENGLISH, help="The language of the rules, such as nl, de or ja.")
@click.option("--plain", is_flag=True, help="Line by line, as in a pipe.")
def play(
    game: Game[Any] | None,
    who: str | None,
    level: str | None,
    seat: int,
    given: tuple[str, ...],
    seed: str | None,
    save: Path | None,
    resume: str | None,
    link: str | None,
    name: str | None,
    language: str,
    plain: bool,
) -> None:
    """Play GAME in the terminal: against bots, with others at this screen, or at a server's table.

    Point at the board with the mouse or with Tab, arrows and Enter, or type a move; F1 shows the rules, F2 a hint.
    Who share the screen hand it over behind a curtain. Without a terminal it goes line by line.
    """
    whole = not plain and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if link is not None:
        if not whole:
            raise click.UsageError("--join needs a terminal; from a script, use sevenhues.client")
        from sevenhues.terminal import run

        run.joined(link, name, language)
        return
    if resume is not None:
        found = read_record(resume)
        if game is not None and found.game.id != game.id:
            raise BadOption(f"{clean(resume)} is a record of {found.game.title}")
        if save is None and resume != "-":
            save = Path(resume)
    else:
        if game is None:
            raise click.UsageError("which game? `sevenhues games` lists them; --join URL and --resume FILE need none")
        options = read_options(game, given)
        seed = new_seed() if seed is None else seed
        names = seated(game, who, seat, level)
        found = record.begin(game, deal(game, seed_bytes(seed), len(names), options), options, names)
    if whole:
        _screen(found, save, language)
    else:
        _lines(found, save, Rng.seeded(seed or new_seed()))


def seated(game: Game[Any], who: str | None, seat: int, level: str | None) -> list[str]:
    """Name the seats, as a record does: people by their names, bots by their levels."""
    bot = BOT + find(game, level or usual(game)).name
    if who is None or who.isdecimal():
        count = int(who) if who else min(max(game.min_seats, 2), game.max_seats)
        game.check_seats(count)
        if not 0 <= seat < count:
            raise click.UsageError(f"there is no seat {seat}: the seats are 0 to {count - 1}")
        return [YOU if other == seat else bot for other in range(count)]
    wishes = [wish.strip() for wish in who.split(",")]
    game.check_seats(len(wishes))
    alone = [wish.partition(":")[0] for wish in wishes].count(ME) == 1
    return [_seated(game, wish, i, YOU if alone else f"seat {i}", bot) for i, wish in enumerate(wishes)]


def _seated(game: Game[Any], wish: str, seat: int, unnamed: str, bot: str) -> str:
    kind, _, more = wish.partition(":")
    if kind == ME and not more.startswith(BOT):
        return more or unnamed
    if kind == "bot":
        return BOT + find(game, more).name if more else bot
    raise BadOption(f"seat {seat} is me, me:NAME, bot or bot:LEVEL, not {shorten(wish)}")


def _lines(found: record.Record, save: Path | None, rng: Rng) -> None:
    table = Table(found, rng)
    if save is not None:
        save.write_text(record.write(found), encoding="utf-8")  # so that it is known now if it cannot be
    try:
        table.run()
    finally:
        if save is not None:
            save.write_text(record.write(found), encoding="utf-8")
            click.echo(f"The record is in {save}.")


def _screen(found: record.Record, save: Path | None, language: str) -> None:
    """Play on the whole screen. A game that nobody said where to keep is kept with the user's data."""
    from sevenhues.terminal import run

    kept = save
    if kept is None:
        kept = user_data_path("sevenhues", ensure_exists=True) / "games" / f"{found.game.id}-{time.time_ns()}.json"
        kept.parent.mkdir(exist_ok=True)

    def another(winners: list[int] | None) -> Position:
        position: Position = deal(found.game, seed_bytes(new_seed()), len(found.seats), found.options, winners)
        return position

    sitting = Local(found, kept, another)
    try:
        run.local(sitting, language)
    finally:
        if save is None and not sitting.record.moves:
            kept.unlink(missing_ok=True)
        else:
            click.echo(f"The record is in {kept}.")
            if sitting.record.result is None:
                click.echo(f"Go on with it: sevenhues play --resume '{kept}'")
