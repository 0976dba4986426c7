"""The commands `analyse`, a report on a record, and `belief`, the odds of hidden faces."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from sevenhues import executors
from sevenhues.analysis import analyse as analyse_record
from sevenhues.analysis import plot
from sevenhues.analysis.report import Progress
from sevenhues.analysis.text_report import format_report
from sevenhues.cli.help_format import RECORD_EXIT_STATUSES, Command
from sevenhues.cli.params import (
    FILE,
    FILES,
    JOBS,
    JSON,
    ON,
    check_ply,
    print_record_error,
    read_input,
    read_record,
    source_name,
    use_colour,
)
from sevenhues.cli.records import Viewer, check_viewer
from sevenhues.core import record
from sevenhues.core.errors import BadOption, BadRecord, InvalidRecord
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.report_types import Beliefs
from sevenhues.executors import Executor
from sevenhues.executors.local import ThisProcess
from sevenhues.plotting import require_matplotlib
from sevenhues.render.ansi import printable


@click.command(
    cls=Command,
    short_help="Analyse a game: chances, turning points, luck, choice.",
    exit_statuses=RECORD_EXIT_STATUSES,
    examples=[
        ("sevenhues analyse game.json", "Print a report."),
        ("sevenhues analyse games/*.json --jobs 2 --json > reports", "Analyse many records in two processes."),
        ("sevenhues analyse game.json --simulations 100 --plot chances.png", "Analyse quickly, and plot the chances."),
    ],
)
@FILES
@click.option(
    "--simulations", type=click.IntRange(min=2), help="Simulations per decision; by default those of the best level."
)
@click.option("--seed", default="", help="Any text; seeds the simulations. By default always the same.")
@JOBS
@ON
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each record.")
@click.option(
    "--plot", "plot_file", type=click.Path(dir_okay=False, path_type=Path), help="Plot the chances to a .png."
)
@click.pass_context
def analyse(
    ctx: click.Context,
    files: tuple[str, ...],
    simulations: int | None,
    seed: str,
    jobs: int | None,
    cluster: str | None,
    as_json: bool,
    plot_file: Path | None,
) -> None:
    """Analyse the record in each FILE: chances to win, turning points, luck and choice.

    The game's best level evaluates every decision with the knowledge of its seat. The loss of a move compared to the
    best one counts as choice; the rest of the change until the next decision counts as luck. The report on a
    simultaneous game is about reaction times, lost races and missed chances.

    Reports do not depend on the number of processes. The exit status is the highest of all files.
    """
    if plot_file is not None:
        require_matplotlib()
        if len(files) > 1:
            raise BadOption("--plot is for one record")
    status, printed = 0, 0
    for file, analysed in _analyse_all(files, seed, simulations or 0, executors.make(jobs, cluster)):
        if isinstance(analysed, BadRecord | InvalidRecord):
            status = max(status, print_record_error(file, analysed))
            continue
        title, report = analysed
        if plot_file is not None:
            plot.plot(report, title, plot_file)
        if as_json:
            click.echo(json.dumps(report))
            continue
        heading = f"{source_name(file)}\n" if len(files) > 1 else ""
        click.echo("\n" * (printed > 0) + printable_lines(heading + format_report(report, title)))
        printed += 1
    ctx.exit(status)


Analysed = tuple[str, dict[str, Any]] | BadRecord | InvalidRecord  # the title of the game and the report, or an error


def _analyse_all(
    files: tuple[str, ...], seed: str, simulations: int, executor: Executor
) -> Iterator[tuple[str, Analysed]]:
    """Yield each file with its report or error. The progress counts records, or the plies of a single one."""
    contents = [read_input(file) for file in files]
    label, hidden = "Analysing", not sys.stderr.isatty()
    with executor, click.progressbar(length=len(files), label=label, file=sys.stderr, hidden=hidden) as bar:

        def report_progress(done: int, plies: int) -> None:
            bar.length = plies
            bar.update(done - bar.pos)

        if len(files) == 1 and isinstance(executor, ThisProcess):
            yield files[0], _analyse(seed, simulations, report_progress, contents[0])
            return
        for file, analysed in zip(
            files, executor.run(partial(_analyse, seed, simulations, None), contents), strict=True
        ):
            bar.update(1)
            yield file, analysed


def _analyse(seed: str, simulations: int, progress: Progress | None, data: bytes) -> Analysed:
    try:
        game_record = record.read(data)
        return game_record.game.title, analyse_record(game_record, seed, simulations, progress)
    except (BadRecord, InvalidRecord) as error:
        return error


def printable_lines(text: str) -> str:
    """Replace the control characters in every line of a text."""
    return "\n".join(printable(line) for line in text.split("\n"))


@click.command(
    cls=Command,
    short_help="Print the exact odds of every hidden face.",
    exit_statuses=RECORD_EXIT_STATUSES,
    examples=[
        ("sevenhues belief game.json --ply 40 --seat 1", "Print the odds for seat 1 after 40 moves."),
        ("sevenhues belief game.json --seat watcher --json", "Print the odds for a watcher at the end, as JSON."),
    ],
)
@FILE
@click.option("--ply", type=int, help="The number of moves before the position; by default all moves.")
@click.option("--seat", "viewer", type=Viewer(), help='The seat, or "watcher"; by default the seat to act.')
@JSON
@click.pass_context
def belief(ctx: click.Context, file: str, ply: int | None, viewer: int | None, as_json: bool) -> None:
    """Print the exact odds of every hidden face in a position of the record in FILE, given all that a seat has seen."""
    try:
        game_record = read_record(file)
        positions = [position.copy() for position in record.replay(game_record)]
    except (BadRecord, InvalidRecord) as error:
        ctx.exit(print_record_error(file, error))
    check_viewer(viewer, len(game_record.seats))
    ply = check_ply(ply, len(game_record.moves))
    viewer = _default_viewer(positions[ply]) if viewer is None else viewer
    game = game_record.game
    beliefs = game.bot_support().beliefs(positions[ply], viewer)
    if beliefs is None:
        raise BadOption(f"{game.title} does not compute the odds of hidden faces")
    if as_json:
        click.echo(json.dumps({"ply": ply, "seat": viewer, **beliefs.to_json()}))
        return
    viewer_name = "a watcher" if viewer == WATCHER else f"seat {viewer}"
    click.echo(f"{game.title}, ply {ply} of {len(game_record.moves)}, known to {viewer_name}; chances in per cent")
    click.echo(_beliefs_table(beliefs), color=use_colour())


def _default_viewer(position: Position) -> int:
    to_act = position.to_act()
    return to_act[0] if len(to_act) == 1 else WATCHER


def _beliefs_table(beliefs: Beliefs) -> str:
    width = max([len(face.about) for face in beliefs.faces], default=0) + 2
    lines = [f"  {'hidden face':<{width}}{'other':<7}" + "".join(f"{symbol:>6}" for symbol in beliefs.symbols)]
    for face in beliefs.faces:
        odds = "".join(f"{_percent(chance):>6}" for chance in face.chances)
        lines.append(f"  {face.about:<{width}}{face.seen or '–':<7}{odds}")
    return "\n".join(lines)


def _percent(chance: float) -> str:
    return "·" if chance == 0.0 else "100" if chance == 1.0 else f"{100 * chance:.1f}"
