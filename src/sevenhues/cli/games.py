"""What there is to play: `games` and `rules`."""

import json
from typing import Any

import click

from sevenhues.cli.help_format import Page
from sevenhues.cli.params import GAME, JSON, Language, colour_wanted
from sevenhues.core import registry
from sevenhues.core.game import ENGLISH, Game, option_text
from sevenhues.render import ansi


@click.command(cls=Page, examples=[("sevenhues games --json", "The same for programs.")])
@JSON
def games(as_json: bool) -> None:
    """List the games, their players and options."""
    found = [registry.load(name) for name in registry.names()]
    if as_json:
        click.echo(json.dumps([_described(game) for game in found], indent=2))
        return
    for game in found:
        players = str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}–{game.max_seats}"
        click.echo(f"{game.id:<16}{game.title}, {players} players" + (", all at once" if game.simultaneous else ""))
        for option in game.options:
            choices = "|".join(option_text(choice) for choice in option.choices)
            click.echo(f"{'':<16}  {option.name}={choices}   {option.about}")


def _described(game: Game[Any]) -> dict[str, object]:
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
    cls=Page,
    short_help="Show the rules of a game, and whose game it is.",
    examples=[
        ("sevenhues rules nimble", "In English, by pages where this is a terminal."),
        ("sevenhues rules rainbow --language ja", "In Japanese."),
    ],
)
@GAME
@click.option(
    "--language",
    default=ENGLISH,
    type=Language(),
    metavar="CODE",
    help="Such as nl, de or ja; English where there is none.",
)
def rules(game: Game[Any], language: str) -> None:
    """Show the rules of GAME in our own words, numbered, with its options and whose game it is."""
    colour = colour_wanted()
    lines = game.rules(language).rstrip().split("\n")
    text = "\n".join(ansi.strong(line, colour) if line.startswith("#") else line for line in lines)
    if colour:
        click.echo_via_pager(text + "\n", color=True)
    else:
        click.echo(text)
