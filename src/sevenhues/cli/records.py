"""The commands `deal`, `replay` and `verify`."""

import json
import re
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from sevenhues import pictures
from sevenhues.cli.help_format import RECORD_EXIT_STATUSES, Command
from sevenhues.cli.params import (
    FILE,
    FILES,
    GAME,
    OPTION,
    SEATS,
    SEED,
    check_ply,
    new_seed,
    print_error,
    print_record_error,
    read_options,
    read_record,
    seed_bytes,
    source_name,
    use_colour,
)
from sevenhues.core import deal_proof, record
from sevenhues.core.deal_proof import ProvenDeal
from sevenhues.core.errors import BadRecord, InvalidRecord, list_moves
from sevenhues.core.game import Game, View
from sevenhues.core.moves import legal_texts
from sevenhues.core.play import deal as deal_position
from sevenhues.core.position import WATCHER, Position
from sevenhues.core.record import Record
from sevenhues.render import ansi
from sevenhues.render.ansi import printable
from sevenhues.terminal.session import describe_result

ALL_SEEING = -2  # a viewer who sees all hidden information


@click.command(
    cls=Command,
    short_help="Deal a game and print its record.",
    examples=[
        ("sevenhues deal rainbow --seed hello", "Print the deal of the seed hello."),
        ("sevenhues deal nimble --seats 3 -o checking=audit > game.json", "Deal for three, with an option."),
    ],
)
@GAME
@SEATS
@OPTION
@SEED
def deal(game: Game[Any], seats: int | None, option_pairs: tuple[str, ...], seed: str | None) -> None:
    """Deal GAME and print a record without moves."""
    options = read_options(game, option_pairs)
    position = deal_position(game, seed_bytes(new_seed() if seed is None else seed), seats, options)
    click.echo(record.write(record.begin(game, position, options)), nl=False)


class Viewer(click.ParamType[Any]):
    """The number of a seat, "watcher" or "everything"."""

    name = "seat"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == "watcher":
            return WATCHER
        if value == "everything":
            return ALL_SEEING
        if not (isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10):
            self.fail(f'{value!r} is not a seat: give its number, "watcher" or "everything"', param, ctx)
        return int(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in ("0", "1", "watcher", "everything") if word.startswith(incomplete)]


def check_viewer(viewer: int | None, seats: int) -> None:
    """Raise UsageError if the viewer is a seat that the record does not have."""
    if viewer is not None and viewer >= seats:
        raise click.UsageError(f"there is no seat {viewer}: the seats are 0 to {seats - 1}")


@click.command(
    cls=Command,
    short_help="Draw a position of a record, as a seat sees it.",
    exit_statuses=RECORD_EXIT_STATUSES,
    examples=[
        ("sevenhues replay game.json", "Draw the last position."),
        ("sevenhues replay game.json --ply 40 --seat 1", "Draw the view of seat 1 after 40 moves."),
        ("sevenhues replay game.json --seat everything", "Draw all hidden information too."),
        ("sevenhues replay game.json --ply 40 --picture move.svg", "Write a picture of the position."),
        ("sevenhues replay game.json --trace | jq .key", "Print the key of every position."),
    ],
)
@FILE
@click.option("--ply", type=int, help="The number of moves before the position; by default all moves.")
@click.option(
    "--seat",
    "viewer",
    type=Viewer(),
    help="The viewer: a seat, watcher or everything; by default the seat to act.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the position as a picture to this file instead: .svg, or .png with the extra `pictures`.",
)
@click.option("--trace", is_flag=True, help="Print a line of JSON for every position.")
@click.pass_context
def replay(
    ctx: click.Context, file: str, ply: int | None, viewer: int | None, picture: Path | None, trace: bool
) -> None:
    """Replay the record in FILE and draw one of its positions."""
    if trace and (ply is not None or viewer is not None or picture is not None):
        raise click.UsageError("--trace prints all positions and cannot be combined with --ply, --seat or --picture")
    if picture is not None:
        _check_picture_file(picture)
    try:
        game_record = read_record(file)
        if trace:
            for line in record.trace(game_record):
                click.echo(json.dumps(line))
        else:
            _draw_position(game_record, ply, viewer, picture)
    except (BadRecord, InvalidRecord) as error:
        ctx.exit(print_record_error(file, error))


def _check_picture_file(file: Path) -> None:
    """Raise UsageError if a picture cannot have this format."""
    if file.suffix not in (".svg", ".png"):
        raise click.UsageError(f"a picture is an .svg or a .png file, not {file.name}")
    if file.suffix == ".png":
        try:
            pictures.require_rasterizer()
        except pictures.PicturesMissing as error:
            raise click.UsageError(str(error)) from None


def _draw_position(game_record: Record, ply: int | None, viewer: int | None, picture: Path | None) -> None:
    check_viewer(viewer, len(game_record.seats))
    shown_ply = check_ply(ply, len(game_record.moves))
    for at, position in enumerate(record.replay(game_record)):
        if at == shown_ply:
            to_act = position.to_act()
            seen_by = viewer if viewer is not None else to_act[0] if len(to_act) == 1 else WATCHER
            if picture is not None:
                _write_picture(game_record, _view(game_record, position, seen_by), picture)
            else:
                click.echo(_position_text(game_record, position, at, seen_by), color=use_colour())


def _write_picture(game_record: Record, view: View, file: Path) -> None:
    names = [name if name != f"seat {seat}" else "" for seat, name in enumerate(record.marked_names(game_record))]
    drawn = game_record.game.renderer().picture(view, names)
    file.write_bytes(pictures.png(drawn) if file.suffix == ".png" else drawn.encode())


def _view(game_record: Record, position: Position, viewer: int) -> View:
    game = game_record.game
    return game.full_view(position) if viewer == ALL_SEEING else game.view(position, viewer)


def _position_text(game_record: Record, position: Position, ply: int, viewer: int) -> str:
    game, colour, to_act = game_record.game, use_colour(), position.to_act()
    view = _view(game_record, position, viewer)
    labels = seat_labels(record.marked_names(game_record))
    seen_by = {WATCHER: "a watcher", ALL_SEEING: "a viewer who sees everything"}.get(viewer) or labels[viewer]
    lines = [
        ansi.bold(f"{game.title}, ply {ply} of {len(game_record.moves)}", colour) + f", seen by {seen_by}",
        game.renderer().describe_last_move(view),
        "",
        game.renderer().draw(view, colour),
        "",
    ]
    if viewer in to_act:
        lines.append(f"seat {viewer} may play: {list_moves(legal_texts(game, position, viewer))}")
    elif to_act:
        lines.append(f"to act: {', '.join(f'seat {seat}' for seat in to_act)}")
    is_last = ply == len(game_record.moves)
    result = game_record.result if is_last and game_record.result else record.result_of(position)
    if result is not None:
        lines.append(describe_result(result, labels))
    return "\n".join(lines)


def seat_labels(names: list[str]) -> list[str]:
    """Return the numbers of the seats, with the names of their players if they have any."""
    labels = [f"seat {seat}" for seat in range(len(names))]
    return [
        label if name == label else f"{label} ({printable(name)})" for label, name in zip(labels, names, strict=True)
    ]


@click.command(
    cls=Command,
    short_help="Check whether records are valid and deals proven.",
    exit_statuses=(("0", "All records are valid."), *RECORD_EXIT_STATUSES[1:]),
    examples=[
        ("sevenhues verify games/*.json", "Check all records of a folder."),
        ("sevenhues deal rainbow | sevenhues verify -", "Check the output of another command."),
        ("sevenhues verify game.json --seal SEAL", "Check the deal against the seal that a browser kept."),
    ],
)
@FILES
@click.option("--seal", help="The seal that the deal must have: 64 hexadecimal digits, which a player's client kept.")
@click.pass_context
def verify(ctx: click.Context, files: tuple[str, ...], seal: str | None) -> None:
    """Check for each record in FILE... whether its moves and result are valid and, if it has a proof, its deal.

    The exit status is the highest of all files.
    """
    if seal is not None and re.fullmatch("[0-9a-f]{64}", seal) is None:
        raise click.UsageError("a seal has 64 hexadecimal digits in lower case")
    ctx.exit(max(_verify(file, seal) for file in files))


def _verify(file: str, seal: str | None) -> int:
    name = source_name(file)
    try:
        game_record = read_record(file)
        *_, last = record.replay(game_record)
        proven = _describe_deal(deal_proof.verify_deal(game_record, seal))
    except (BadRecord, InvalidRecord) as error:
        return print_record_error(file, error)
    except OSError as error:
        return print_error(f"{name}: {error.strerror}", 2)
    result = game_record.result or record.result_of(last)
    end = f"ended by {printable(result['reason'])}" if result else "not finished"
    click.echo(f"{printable(name)}: valid: {game_record.game.title}, {len(game_record.moves)} moves, {end}{proven}")
    return 0


def _describe_deal(proven: ProvenDeal | None) -> str:
    if proven is None:
        return ""
    if not proven.committed:
        return ", deal proven (an older record: players did not commit to their entropy)"
    return ", deal proven" + (f" ({proven.withheld} not revealed in time)" if proven.withheld else "")
