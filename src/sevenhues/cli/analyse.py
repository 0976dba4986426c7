"""What a record tells afterwards: `analyse`, its story, and `belief`, what a seat could know of hidden faces."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from sevenhues.analysis import analyse as analyse_record
from sevenhues.analysis import plot
from sevenhues.analysis.text_report import told
from sevenhues.cli.help_format import OF_RECORDS, Page
from sevenhues.cli.params import FILE, JSON, clean, colour_wanted, complain, read_record, source_name
from sevenhues.cli.records import Viewer
from sevenhues.core import record
from sevenhues.core.errors import BadOption, BadRecord, Unsound
from sevenhues.core.game import WATCHER, Position
from sevenhues.core.record import Record
from sevenhues.core.report_types import Beliefs


@click.command(
    cls=Page,
    short_help="Tell the story of a game: chances, luck and choice.",
    statuses=OF_RECORDS,
    examples=[
        ("sevenhues analyse game.json", "Tell the story in words, round by round."),
        ("sevenhues analyse game.json --simulations 100 --plot chances.png", "Roughly, and drawn as a curve."),
    ],
)
@FILE
@click.option("--simulations", type=click.IntRange(min=2), help="A decision; by default what the best level takes.")
@click.option("--seed", default="", help="Any text; the same one judges the same. By default always the same.")
@JSON
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw it: a .png.")
@click.pass_context
def analyse(
    ctx: click.Context, file: str, simulations: int | None, seed: str, as_json: bool, picture: Path | None
) -> None:
    """Tell the story of the record in FILE: chances, turning points, luck and choice.

    The game's best level judges every decision from what its seat could know. What a move lost against the best one
    is choice; what is left of the change until the next decision is luck. A game of all at once is told by pace,
    races and chances missed.
    """
    if picture is not None:
        plot.check()
    try:
        found = read_record(file)
        story = _analysed(found, seed, simulations or 0)
    except (BadRecord, Unsound) as error:
        ctx.exit(_refused(file, error))
    if picture is not None:
        plot.plot(story, found.game.title, picture)
    click.echo(json.dumps(story) if as_json else clean_lines(told(story, found.game.title)))


def _analysed(found: Record, seed: str, simulations: int) -> dict[str, Any]:
    quiet = not sys.stderr.isatty()
    with click.progressbar(length=len(found.moves) + 1, label="Judging", file=sys.stderr, hidden=quiet) as bar:
        return analyse_record(found, seed, simulations, lambda done, of: bar.update(done - bar.pos))


def _refused(file: str, error: BadRecord | Unsound) -> int:
    what = "no record" if isinstance(error, BadRecord) else "unsound"
    return complain(f"{source_name(file)}: {what}: {error}", 2 if isinstance(error, BadRecord) else 1)


def clean_lines(text: str) -> str:
    """Make a text with names from outside safe to print, line by line."""
    return "\n".join(clean(line) for line in text.split("\n"))


@click.command(
    cls=Page,
    short_help="Tell the exact odds of every hidden face.",
    statuses=OF_RECORDS,
    examples=[
        ("sevenhues belief game.json --ply 40 --seat 1", "What seat 1 could know after 40 moves."),
        ("sevenhues belief game.json --seat watcher --json", "What somebody who looks on could know at the end."),
    ],
)
@FILE
@click.option("--ply", type=int, help="After so many moves; by default after the last.")
@click.option("--seat", "viewer", type=Viewer(), help='Whose knowledge, or "watcher"; by default who is to act.')
@JSON
@click.pass_context
def belief(ctx: click.Context, file: str, ply: int | None, viewer: int | None, as_json: bool) -> None:
    """Tell the exact odds of every hidden face at a moment of the record in FILE, given all that a seat has seen."""
    try:
        found = read_record(file)
        positions = [position.copy() for position in record.replay(found)]
    except (BadRecord, Unsound) as error:
        ctx.exit(_refused(file, error))
    at, eyes = _moment(found, positions, ply, viewer)
    beliefs = found.game.beliefs(positions[at], eyes)
    if beliefs is None:
        raise BadOption(f"{found.game.title} tells no odds of what is hidden")
    if as_json:
        click.echo(json.dumps({"ply": at, "seat": eyes, **beliefs.plain()}))
        return
    who = "a watcher" if eyes == WATCHER else f"seat {eyes}"
    click.echo(f"{found.game.title}, ply {at} of {len(found.moves)}, as {who} can know it; chances in per cent")
    click.echo(_table(beliefs), color=colour_wanted())


def _moment(found: Record, positions: list[Position], ply: int | None, viewer: int | None) -> tuple[int, int]:
    seats, last = len(found.seats), len(found.moves)
    if viewer is not None and viewer >= seats:
        raise click.UsageError(f"there is no seat {viewer}: the seats are 0 to {seats - 1}")
    if ply is not None and not 0 <= ply <= last:
        raise click.UsageError(f"there is no ply {ply}: the record has 0 to {last}")
    at = last if ply is None else ply
    turn = positions[at].to_act()
    return at, viewer if viewer is not None else turn[0] if len(turn) == 1 else WATCHER


def _table(beliefs: Beliefs) -> str:
    width = max([len(face.about) for face in beliefs.faces], default=0) + 2
    lines = [f"  {'hidden face':<{width}}{'beside':<7}" + "".join(f"{symbol:>6}" for symbol in beliefs.symbols)]
    for face in beliefs.faces:
        odds = "".join(f"{_percent(chance):>6}" for chance in face.chances)
        lines.append(f"  {face.about:<{width}}{face.seen or '–':<7}{odds}")
    return "\n".join(lines)


def _percent(chance: float) -> str:
    return "·" if chance == 0.0 else "100" if chance == 1.0 else f"{100 * chance:.1f}"
