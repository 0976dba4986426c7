"""`hint`: what the best bot would do in a record's position."""

import json
from itertools import islice

import click

from sevenhues.bots.hints import BEST, hints
from sevenhues.cli.help_format import OF_RECORDS, Page
from sevenhues.cli.params import FILE, JSON, complain, new_seed, read_record, source_name
from sevenhues.core import record
from sevenhues.core.errors import BadRecord, Unsound
from sevenhues.core.rng import Rng


@click.command(
    cls=Page,
    short_help="Tell what the best bot would do in a position.",
    statuses=OF_RECORDS,
    examples=[
        ("sevenhues hint game.json --ply 12", "What would have been good after 12 moves?"),
        ("sevenhues hint game.json --think 2000 --seed 1 --json", "The same answer every time, for programs."),
    ],
)
@FILE
@click.option("--seat", type=int, help="Whose hint; by default who is to act, where only one is.")
@click.option("--ply", type=int, help="In the position after so many moves; by default after the last.")
@click.option("--think", default="1s", show_default=True, help="A time such as 500ms, or simulations such as 2000.")
@click.option("--best", type=click.IntRange(1, 50), default=BEST, show_default=True, help="Moves to tell.")
@JSON
@click.option("--seed", help="Any text; the same seed looks into the same futures.")
@click.pass_context
def hint(
    ctx: click.Context,
    file: str,
    seat: int | None,
    ply: int | None,
    think: str,
    best: int,
    as_json: bool,
    seed: str | None,
) -> None:
    """Tell what the best bot would do in the record in FILE, and its chance to win with each of the best moves.

    It knows what the seat has seen, and nothing else. With a number to --think and a --seed it always answers alike.
    """
    try:
        found = read_record(file)
        last = len(found.moves)
        if ply is not None and not 0 <= ply <= last:
            raise click.UsageError(f"there is no ply {ply}: the record has 0 to {last}")
        *_, position = islice(record.replay(found), (last if ply is None else ply) + 1)
    except (BadRecord, Unsound) as error:
        ctx.exit(complain(f"{source_name(file)}: {error}", 2 if isinstance(error, BadRecord) else 1))
    turn = position.to_act()
    if not turn:
        raise click.UsageError("the game is over: --ply shows an earlier moment")
    if seat is None and len(turn) == 1:
        seat = turn[0]
    if seat not in turn:
        who = " or ".join([str(other) for other in turn])
        asked = "" if seat is None else f"seat {seat} is not to act: "
        raise click.UsageError(f"{asked}give --seat {who}")
    rng = Rng.seeded(new_seed() if seed is None else seed)
    told = hints(found.game, position, seat, rng, think, best)
    if as_json:
        moves = [{"text": one.text, "chance": one.chance} for one in told]
        click.echo(json.dumps({"ply": last if ply is None else ply, "seat": seat, "moves": moves}))
        return
    click.echo(f"{found.game.title}, seat {seat}:")
    wide = max([len(one.text) for one in told])
    for one in told:
        chance = "the only move" if one.chance is None else f"{100 * one.chance:5.1f} %"
        click.echo(f"  {one.text:{wide}}  {chance}")
