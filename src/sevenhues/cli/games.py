"""The commands `games` and `rules`."""

import json
from typing import Any

import click

from sevenhues.cli.help_format import Command
from sevenhues.cli.params import GAME, JSON, LanguageCode, use_colour
from sevenhues.core import registry
from sevenhues.core.game import Game
from sevenhues.core.options import option_text
from sevenhues.core.resources import ENGLISH, rules_text
from sevenhues.render import ansi


@click.command("games", cls=Command, examples=[("sevenhues games --json", "List the games as JSON.")])
@JSON
def list_games(as_json: bool) -> None:
    """List the games with their numbers of players and options."""
    games = [registry.load(name) for name in registry.names()]
    if as_json:
        click.echo(json.dumps([_game_json(game) for game in games], indent=2))
        return
    for game in games:
        players = str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}–{game.max_seats}"
        click.echo(f"{game.id:<16}{game.title}, {players} players" + (", simultaneous" if game.simultaneous else ""))
        for option in game.options:
            choices = "|".join(option_text(choice) for choice in option.choices)
            click.echo(f"{'':<16}  {option.name}={choices}   {option.about}")


def _game_json(game: Game[Any]) -> dict[str, object]:
    return {
        "id": game.id,
        "title": game.title,
        "min_seats": game.min_seats,
        "max_seats": game.max_seats,
        "simultaneous": game.simultaneous,
        "rules_version": game.rules_version,
        "options": [
            {"name": o.name, "default": o.default, "choices": list(o.choices), "about": o.about} for o in game.options
        ],
    }


@click.command(
    cls=Command,
    short_help="Show the rules of a game and its credits.",
    examples=[
        ("sevenhues rules nimble", "Show the rules in English, in a pager if this is a terminal."),
        ("sevenhues rules rainbow --language ja", "Show the rules in Japanese."),
    ],
)
@GAME
@click.option(
    "--language",
    default=ENGLISH,
    type=LanguageCode(),
    metavar="CODE",
    help="The language, such as nl, de or ja; English if there is no translation.",
)
def rules(game: Game[Any], language: str) -> None:
    """Show the numbered rules of GAME, its options and its credits."""
    colour = use_colour()
    lines = rules_text(game, language).rstrip().split("\n")
    text = "\n".join(ansi.bold(line, colour) if line.startswith("#") else line for line in lines)
    if colour:
        click.echo_via_pager(text + "\n", color=True)
    else:
        click.echo(text)
