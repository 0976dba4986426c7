"""The command `hint`: the best moves in a position of a record."""

import json
from itertools import islice

import click

from sevenhues.bots.hints import DEFAULT_HINTS, hints
from sevenhues.cli.help_format import RECORD_EXIT_STATUSES, Command
from sevenhues.cli.params import FILE, JSON, check_ply, new_seed, print_record_error, read_record
from sevenhues.core import record
from sevenhues.core.errors import BadRecord, InvalidRecord
from sevenhues.core.rng import Rng


@click.command(
    cls=Command,
    short_help="Show the best moves in a position of a record.",
    exit_statuses=RECORD_EXIT_STATUSES,
    examples=[
        ("sevenhues hint game.json --ply 12", "Show the best moves after 12 moves."),
        ("sevenhues hint game.json --budget 2000 --seed 1 --json", "Print JSON that is the same every time."),
    ],
)
@FILE
@click.option("--seat", type=int, help="The seat; by default the only seat to act.")
@click.option("--ply", type=int, help="The number of moves before the position; by default all moves.")
@click.option(
    "--budget", default="1s", show_default=True, help="The search budget: a time (500ms) or simulations (2000)."
)
@click.option(
    "--top", type=click.IntRange(1, 50), default=DEFAULT_HINTS, show_default=True, help="The number of moves."
)
@JSON
@click.option("--seed", help="Any text; seeds the search. By default random.")
@click.pass_context
def hint(
    ctx: click.Context,
    file: str,
    seat: int | None,
    ply: int | None,
    budget: str,
    top: int,
    as_json: bool,
    seed: str | None,
) -> None:
    """Show the best moves in a position of the record in FILE, with the chance to win of each.

    The game's best bot searches with the knowledge of the seat. With a number of simulations as --budget and a --seed,
    the answer is reproducible.
    """
    try:
        game_record = read_record(file)
        ply = check_ply(ply, len(game_record.moves))
        *_, position = islice(record.replay(game_record), ply + 1)
    except (BadRecord, InvalidRecord) as error:
        ctx.exit(print_record_error(file, error))
    seat = _seat_to_act(position.to_act(), seat)
    rng = Rng.seeded(new_seed() if seed is None else seed)
    best = hints(game_record.game, position, seat, rng, budget, top)
    if as_json:
        moves = [{"text": move.text, "chance": move.chance} for move in best]
        click.echo(json.dumps({"ply": ply, "seat": seat, "moves": moves}))
        return
    click.echo(f"{game_record.game.title}, seat {seat}:")
    width = max([len(move.text) for move in best])
    for move in best:
        chance = "the only move" if move.chance is None else f"{100 * move.chance:5.1f} %"
        click.echo(f"  {move.text:{width}}  {chance}")


def _seat_to_act(to_act: list[int], seat: int | None) -> int:
    """Return the seat if it may act, by default the only one that may; raise UsageError otherwise."""
    if not to_act:
        raise click.UsageError("the game is over: choose an earlier position with --ply")
    if seat is None and len(to_act) == 1:
        return to_act[0]
    if seat is None or seat not in to_act:
        problem = "" if seat is None else f"seat {seat} is not to act: "
        raise click.UsageError(f"{problem}choose --seat {' or '.join([str(other) for other in to_act])}")
    return seat
