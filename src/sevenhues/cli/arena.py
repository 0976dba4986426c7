"""The commands `bots` and `arena`."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import click

from sevenhues import COMPILED, executors
from sevenhues.arena import players, plot
from sevenhues.arena.match import BotFailed, Match, Task, pairings, play_all, tasks
from sevenhues.arena.players import Player
from sevenhues.arena.report import report
from sevenhues.arena.results_file import ResultsFile
from sevenhues.bots.budget import Budget
from sevenhues.bots.levels import find, levels
from sevenhues.cli.help_format import Command
from sevenhues.cli.params import GAME, JOBS, JSON, ON, OPTION, SEATS, SEED, BotName, new_seed, read_options
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game
from sevenhues.core.play import deal
from sevenhues.executors import Executor
from sevenhues.plotting import require_matplotlib


class Shard(click.ParamType[tuple[int, int]]):
    """A part of a match: its number, from 1, and the number of parts."""

    name = "shard"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", str(value), re.ASCII)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            self.fail(f"{value!r} is not a shard such as 1/4, the first of four", param, ctx)
        return int(match[1]), int(match[2])


@click.command(
    "bots",
    cls=Command,
    short_help="List the bots of a game.",
    examples=[("sevenhues bots rainbow-road", "List the bots of Rainbow Road.")],
)
@GAME
def list_bots(game: Game[Any]) -> None:
    """List the bots of GAME: first those that play any game, then its own levels, the weakest first."""
    for level in levels(game):
        click.echo(f"{level.name:<12}{level.about}")


@click.command(
    cls=Command,
    short_help="Play matches between bots and measure their strength.",
    sections={
        "Players": ["names", "files", "peek", "budget", "reactions_of"],
        "Games": ["games_per_pairing", "seats", "option_pairs", "seed"],
        "Execution and output": ["jobs", "cluster", "save", "shard", "merged", "as_json", "plot_file"],
    },
    examples=[
        ("sevenhues arena rainbow --bots master,expert -n 400 --jobs 2", "Play 400 games in two processes."),
        ("sevenhues arena nimble --bots master,player --reactions-of player", "Compare choices at equal speed."),
        ("sevenhues arena rainbow --bots player --bot mine.py:Mine --budget 400 --seed 1", "Measure your own bot."),
        ("sevenhues arena rainbow --bots expert,player --save results -n 1000", "Save results; run again to resume."),
    ],
)
@GAME
@click.option(
    "--bots",
    "names",
    default="",
    type=BotName(),
    metavar="A,B,…",
    help="Bots by name (see `sevenhues bots GAME`), also with a --budget of their own as NAME@400 or NAME@200ms; "
    "networks as net:FILE or look:FILE, language models as model:NAME.",
)
@click.option("--bot", "files", multiple=True, metavar="FILE.py:CLASS", help="Your own bot; can be repeated.")
@click.option(
    "--peek", is_flag=True, help="Add the best level with access to hidden information, an upper bound for fair bots."
)
@click.option(
    "-n",
    "--games",
    "games_per_pairing",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="The number of games per pairing.",
)
@SEATS
@OPTION
@SEED
@click.option(
    "--budget",
    default="30ms",
    show_default=True,
    help="The search budget per move: a time (200ms, 1.5s) or simulations (400).",
)
@click.option(
    "--reactions-of",
    type=BotName(),
    metavar="BOT",
    help="In a race, give all players the reaction times and mistakes of this bot.",
)
@JOBS
@ON
@click.option(
    "--save", type=click.Path(file_okay=False, path_type=Path), help="A folder for the results; run again to resume."
)
@click.option("--shard", type=Shard(), metavar="I/N", help="Play only each N-th deal, from the I-th on; needs --seed.")
@click.option(
    "--merge",
    "merged",
    multiple=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Add the results in this folder before playing what is missing; can be repeated.",
)
@JSON
@click.option("--plot", "plot_file", type=click.Path(dir_okay=False, path_type=Path), help="Plot the shares to a .png.")
def arena(
    game: Game[Any],
    names: str,
    files: tuple[str, ...],
    peek: bool,
    games_per_pairing: int,
    seats: int | None,
    option_pairs: tuple[str, ...],
    seed: str | None,
    budget: str,
    reactions_of: str | None,
    jobs: int | None,
    cluster: str | None,
    save: Path | None,
    shard: tuple[int, int] | None,
    merged: tuple[Path, ...],
    as_json: bool,
    plot_file: Path | None,
) -> None:
    """Play matches of GAME between bots, and report shares of wins, ratings and speed.

    Every bot plays every other bot, and every deal is played from each seat. With more than two seats, one bot plays
    against copies of the other. With a number of simulations as --budget and a --seed, results are reproducible.

    A simultaneous game is a race in simulated time, with the reaction times of each level. With --reactions-of, all
    players have the same reaction times, and only their choices differ.

    Several processes or machines share a match: each plays a --shard of it with the same --seed and saves it to its
    own folder. The same command with --merge for each folder, and without --shard, reports on all games. Or a Ray
    cluster plays the match (--on). Files of bots and networks must then have the same paths on all its nodes.
    """
    options = read_options(game, option_pairs)
    if reactions_of is not None:
        find(game, reactions_of)
        if not game.simultaneous:
            raise BadOption(f"--reactions-of is for simultaneous games; {game.title} is played in turns")
    if plot_file is not None:
        require_matplotlib()
    participants = players.parse_players(game, names) + [players.player_from_file(file) for file in files]
    if peek:
        participants.append(Player(players.PEEK, sees_hidden=True))
    if shard is not None and seed is None:
        raise BadOption("--shard needs --seed: all shards of a match have the same seed")
    results_file = ResultsFile(save)
    context = click.get_current_context()
    context.call_on_close(results_file.close)
    match = Match(
        game.id,
        deal(game, b"", seats, options).seats,
        options,
        seed or results_file.seed() or new_seed(),
        Budget.parse(budget).text(),
        reactions_of,
    )
    players.check_players(participants, match.seats)
    match_pairings = pairings(participants, match.seats)
    todo = list(tasks(match_pairings, match.seats, games_per_pairing))
    if shard is not None:
        todo = [task for task in todo if task.deal % shard[1] == shard[0] - 1]
        if not todo:
            raise BadOption(f"shard {shard[0]}/{shard[1]} has no games: there are fewer deals than shards")
    results_file.open(match)
    for folder in merged:
        results_file.merge(folder)
    _play(game, match, results_file, todo, context.with_resource(executors.make(jobs, cluster)))
    played = list(zip(todo, results_file.of(todo, match.seats), strict=True))
    settings = {**(results_file.settings or {}), "compiled": COMPILED}
    match_report = settings | report(participants, match_pairings, played)
    if plot_file is not None:
        plot.plot(match_report, f"{game.title}, {_budget_text(match.budget)} per move", plot_file)
    click.echo(json.dumps(match_report) if as_json else format_report(game, match_report))


def _play(game: Game[Any], match: Match, results_file: ResultsFile, todo: list[Task], executor: Executor) -> None:
    missing = results_file.missing(todo, match.seats)
    label, hidden = f"Playing {game.title}", not sys.stderr.isatty()
    try:
        with click.progressbar(length=len(todo), label=label, file=sys.stderr, hidden=hidden) as bar:
            bar.update(len(todo) - len(missing))
            for result in play_all(match, missing, executor):
                results_file.add(result)
                bar.update(1)
    except BotFailed as error:
        if error.trace:
            click.echo(error.trace, err=True)
        raise
    except KeyboardInterrupt:
        saved = f"{len(results_file.results)} games are saved in {results_file.file}; run the command again to resume."
        click.echo("\nStopped. " + (saved if results_file.file else "No results were saved; use --save DIR."), err=True)
        raise


def _budget_text(budget: str) -> str:
    return budget if budget.endswith("s") else f"{budget} simulations"


def format_report(game: Game[Any], report: dict[str, Any]) -> str:
    """Format a report as tables."""
    build = "compiled" if report["compiled"] else "pure Python"
    reactions = f", reactions of {report['reactions_of']}" if report["reactions_of"] else ""
    budget = _budget_text(report["budget"])
    match = f"{report['games']:,} games, {report['seats']} seats, {budget} per move{reactions}"
    lines = [
        f"{game.title}: {match}, seed {report['seed']} ({build})",
        f"  {'pairing':<28}{'share':>8}  {'95 % interval':<17}{'won':>6}{'lost':>7}{'drawn':>7}",
    ]
    for row in report["pairings"]:
        name = f"{row['bot']} – {row['against']}" if row["against"] else row["bot"]
        share = "–" if row["share"] is None else f"{row['share']:.1%}"
        interval = f"{row['low']:.1%} to {row['high']:.1%}"
        lines.append(f"  {name:<28}{share:>8}  {interval:<17}{row['wins']:>6g}{row['losses']:>7g}{row['drawn']:>7}")
    lines.append(f"  {'bot':<18}{'OpenSkill':>14}{'ms/decision':>16}{'decisions/s':>13}{'simulations/s':>15}")
    for row in report["bots"]:
        rating = f"{row['rating']:.1f} ± {row['deviation']:.1f}"
        simulations = f"{row['simulations_per_second']:,.0f}" if row["simulations_per_second"] else "–"
        lines.append(
            f"  {row['bot']:<18}{rating:>14}{row['ms_per_decision']:>16.3f}"
            f"{row['decisions_per_second']:>13,.0f}{simulations:>15}"
        )
        if row["refusals"]:
            lines.append(f"    gave {row['refusals']:,} answers that were no legal moves")
    return "\n".join(lines)
