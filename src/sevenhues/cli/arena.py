"""Bots against bots: `arena` and `bots`."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from sevenhues import COMPILED
from sevenhues.arena import players, plot
from sevenhues.arena.match import Match, Task, pairings, play_all, tasks
from sevenhues.arena.players import Entrant
from sevenhues.arena.report import report
from sevenhues.arena.results_file import Ledger
from sevenhues.bots.budget import Think
from sevenhues.bots.levels import find, levels
from sevenhues.cli.help_format import Page
from sevenhues.cli.params import GAME, JSON, OPTION, SEATS, SEED, BotName, new_seed, read_options
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.play import deal


@click.command(
    cls=Page,
    short_help="List the bots that play a game.",
    examples=[("sevenhues bots rainbow-road", "Whom one can meet in Rainbow Road.")],
)
@GAME
def bots(game: Game[Any]) -> None:
    """List the bots that play GAME, the weakest of its own levels first."""
    for level in levels(game):
        click.echo(f"{level.name:<12}{level.about}")


@click.command(
    cls=Page,
    short_help="Let bots meet, and say how strong they are.",
    sections={
        "Who plays": ["names", "files", "peek", "think", "pace_of"],
        "What is played": ["number", "seats", "given", "seed"],
        "How, and where to": ["jobs", "save", "as_json", "picture"],
    },
    examples=[
        ("sevenhues arena rainbow --bots master,expert -n 400 --jobs 2", "400 games, two at a time."),
        ("sevenhues arena nimble --bots master,player --pace-of player", "Who chooses better, both equally fast?"),
        ("sevenhues arena rainbow --bots player --bot mine.py:Mine --think 400 --seed 1", "A bot of your own."),
        ("sevenhues arena rainbow --bots expert,player --save results -n 1000", "Stop it and go on whenever you like."),
    ],
)
@GAME
@click.option(
    "--bots",
    "names",
    default="",
    type=BotName(),
    metavar="A,B,…",
    help="Bots by name (`sevenhues bots GAME` lists them), or net:FILE, look:FILE.",
)
@click.option("--bot", "files", multiple=True, metavar="FILE.py:CLASS", help="A bot of your own.")
@click.option("--peek", is_flag=True, help="Add the best level, cheating: it sees the truth. A bound for fair bots.")
@click.option("-n", "number", type=click.IntRange(min=1), default=100, show_default=True, help="Games a pairing.")
@SEATS
@OPTION
@SEED
@click.option("--think", default="30ms", show_default=True, help="For a move: 200ms, 1.5s, or 400 simulations.")
@click.option("--pace-of", type=BotName(), metavar="BOT", help="In a race: all act as fast and as surely as this bot.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that play.")
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Keep results here and go on from them.")
@JSON
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw the shares: a .png.")
def arena(
    game: Game[Any],
    names: str,
    files: tuple[str, ...],
    peek: bool,
    number: int,
    seats: int | None,
    given: tuple[str, ...],
    seed: str | None,
    think: str,
    pace_of: str | None,
    jobs: int,
    save: Path | None,
    as_json: bool,
    picture: Path | None,
) -> None:
    """Let bots play GAME against each other and say how strong they are.

    Every bot meets every other one; every deal is played from each side. With more than two seats, a bot sits
    alone among others of one kind, in every seat in turn. With --think as a number of simulations and a --seed,
    everything is the same again.

    Where all act at once they race in simulated time, each at the pace of its level, and times are people's. With
    --pace-of all have the same hand, so that only what they choose makes a difference.
    """
    options = read_options(game, given)
    if pace_of is not None:
        find(game, pace_of)
        if not game.simultaneous:
            raise BadOption(f"--pace-of is for races; in {game.title} one acts after the other")
    if picture is not None:
        plot.check()
    playing = players.named(game, names) + [players.from_file(file) for file in files]
    if peek:
        playing.append(Entrant(players.PEEK, peeks=True))
    ledger = Ledger(save)
    match = Match(
        game.id,
        deal(game, b"", seats, options).seats,
        options,
        seed or ledger.seed() or new_seed(),
        Think.read(think).text(),
        pace_of,
    )
    players.check(playing, match.seats)
    ledger.open(match)
    listed = pairings(playing, match.seats)
    todo = list(tasks(listed, match.seats, number))
    _play(game, match, ledger, todo, jobs)
    played = list(zip(todo, ledger.of(todo, match.seats), strict=True))
    found = {**(ledger.settings or {}), "compiled": COMPILED, **report(playing, listed, played)}
    if picture is not None:
        plot.plot(found, f"{game.title}, {match.think} a move", picture)
    click.echo(json.dumps(found) if as_json else told(game, found))


def _play(game: Game[Any], match: Match, ledger: Ledger, todo: list[Task], jobs: int) -> None:
    missing = ledger.missing(todo, match.seats)
    label, quiet = f"Playing {game.title}", not sys.stderr.isatty()
    try:
        with click.progressbar(length=len(todo), label=label, file=sys.stderr, hidden=quiet) as bar:
            bar.update(len(todo) - len(missing))
            for result in play_all(match, missing, jobs):
                ledger.add(result)
                bar.update(1)
    except KeyboardInterrupt:
        kept = f"{len(ledger.results)} games are in {ledger.file}: the same command goes on."
        click.echo("\nStopped. " + (kept if ledger.file else "Nothing was kept: --save DIR would."), err=True)
        raise


def told(game: Game[Any], found: dict[str, Any]) -> str:
    """Write a report for people."""
    think = found["think"] if found["think"].endswith("s") else f"{found['think']} simulations"
    how = "compiled" if found["compiled"] else "pure Python"
    pace = f", all at {found['pace_of']}'s pace" if found["pace_of"] else ""
    match = f"{found['games']:,} games, {found['seats']} seats, {think} a move{pace}"
    lines = [
        f"{game.title}: {match}, seed {found['seed']} ({how})",
        f"  {'pairing':<28}{'share':>8}  {'95 % interval':<17}{'won':>6}{'lost':>7}{'drawn':>7}",
    ]
    for row in found["pairings"]:
        name = f"{row['bot']} – {row['against']}" if row["against"] else row["bot"]
        share = "–" if row["share"] is None else f"{row['share']:.1%}"
        between = f"{row['low']:.1%} to {row['high']:.1%}"
        lines.append(f"  {name:<28}{share:>8}  {between:<17}{row['wins']:>6g}{row['losses']:>7g}{row['drawn']:>7}")
    lines.append(f"  {'bot':<18}{'OpenSkill':>14}{'ms a decision':>16}{'decisions/s':>13}{'simulations/s':>15}")
    for row in found["bots"]:
        rating = f"{row['rating']:.1f} ± {row['doubt']:.1f}"
        simulations = f"{row['simulations_per_second']:,.0f}" if row["simulations_per_second"] else "–"
        lines.append(
            f"  {row['bot']:<18}{rating:>14}{row['ms_per_decision']:>16.3f}"
            f"{row['decisions_per_second']:>13,.0f}{simulations:>15}"
        )
    return "\n".join(lines)
