"""Records: `deal` makes one, `replay` shows one, `verify` judges them."""

import json
from typing import Any

import click
from click.shell_completion import CompletionItem

from sevenhues.cli.help_format import OF_RECORDS, Page
from sevenhues.cli.params import (
    FILE,
    FILES,
    GAME,
    OPTION,
    SEATS,
    SEED,
    clean,
    colour_wanted,
    complain,
    new_seed,
    read_options,
    read_record,
    seed_bytes,
    source_name,
)
from sevenhues.core import deal_proof, record
from sevenhues.core.errors import BadRecord, Unsound, listed
from sevenhues.core.game import WATCHER, Game, Position
from sevenhues.core.play import deal as deal_position
from sevenhues.render import ansi


@click.command(
    cls=Page,
    short_help="Deal a game and print its record, without moves.",
    examples=[
        ("sevenhues deal rainbow --seed hello", "The same cards for everybody who says hello."),
        ("sevenhues deal nimble --seats 3 -o checking=audit > game.json", "For three, with an audit afterwards."),
    ],
)
@GAME
@SEATS
@OPTION
@SEED
def deal(game: Game[Any], seats: int | None, given: tuple[str, ...], seed: str | None) -> None:
    """Deal GAME and print the record of it, without moves."""
    options = read_options(game, given)
    position = deal_position(game, seed_bytes(new_seed() if seed is None else seed), seats, options)
    click.echo(record.write(record.begin(game, position, options)), nl=False)


EVERYTHING = -2  # a viewer who may see everything


class Viewer(click.ParamType[Any]):
    """A seat's number, "watcher" or "everything"."""

    name = "seat"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == "watcher":
            return WATCHER
        if value == "everything":
            return EVERYTHING
        if not (isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 10):
            self.fail(f'{value!r} is no seat: give its number, "watcher" or "everything"', param, ctx)
        return int(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(word) for word in ("0", "1", "watcher", "everything") if word.startswith(incomplete)]


@click.command(
    cls=Page,
    short_help="Draw a position of a record, as a seat sees it.",
    statuses=OF_RECORDS,
    examples=[
        ("sevenhues replay game.json", "The end of the game."),
        ("sevenhues replay game.json --ply 40 --seat 1", "What seat 1 saw after 40 moves."),
        ("sevenhues replay game.json --seat everything", "With all that is hidden laid open."),
        ("sevenhues replay game.json --trace | jq .key", "Every position, for programs."),
    ],
)
@FILE
@click.option("--ply", type=int, help="Show the position after so many moves; by default after the last.")
@click.option("--seat", "viewer", type=Viewer(), help="Whose eyes: a seat's number, watcher or everything.")
@click.option("--trace", is_flag=True, help="Print a JSON line for every position instead, for programs.")
@click.pass_context
def replay(ctx: click.Context, file: str, ply: int | None, viewer: int | None, trace: bool) -> None:
    """Replay the record in FILE and draw a position of it."""
    if trace and (ply is not None or viewer is not None):
        raise click.UsageError("a trace is of all positions and for no seat: give --trace or --ply and --seat")
    try:
        found = read_record(file)
        if trace:
            for line in record.trace(found):
                click.echo(json.dumps(line))
        else:
            _show(found, ply, viewer)
    except (BadRecord, Unsound) as error:
        ctx.exit(complain(f"{source_name(file)}: {error}", 2 if isinstance(error, BadRecord) else 1))


def _show(found: record.Record, ply: int | None, viewer: int | None) -> None:
    seats, last = len(found.seats), len(found.moves)
    if viewer is not None and viewer >= seats:
        raise click.UsageError(f"there is no seat {viewer}: the seats are 0 to {seats - 1}")
    if ply is not None and not 0 <= ply <= last:
        raise click.UsageError(f"there is no ply {ply}: the record has 0 to {last}")
    shown = last if ply is None else ply
    for at, position in enumerate(record.replay(found)):
        if at == shown:
            click.echo(_drawn(found, position, at, viewer), color=colour_wanted())


def _drawn(found: record.Record, position: Position, ply: int, viewer: int | None) -> str:
    game, colour, turn = found.game, colour_wanted(), position.to_act()
    if viewer is None:
        viewer = turn[0] if len(turn) == 1 else WATCHER
    view = game.opened(position) if viewer == EVERYTHING else game.view(position, viewer)
    named = {WATCHER: "a watcher", EVERYTHING: "who sees everything"}
    eyes = named.get(viewer) or _named(viewer, found.seats)
    lines = [
        ansi.strong(f"{game.title}, ply {ply} of {len(found.moves)}", colour) + f", seen by {eyes}",
        game.tell(view),
        "",
        game.draw(view, colour),
        "",
    ]
    if viewer in turn:
        lines.append(f"seat {viewer} may play: {listed(game.legal_texts(position, viewer))}")
    elif turn:
        lines.append(f"to act: {', '.join(f'seat {seat}' for seat in turn)}")
    result = found.result if ply == len(found.moves) and found.result else record.result_of(position)
    if result is not None:
        lines.append(told_result(result, found.seats))
    return "\n".join(lines)


def told_result(result: dict[str, Any], names: list[str]) -> str:
    """Say in a sentence how a game ended."""
    winners = " and ".join(_named(seat, names) for seat in result["winners"]) or "nobody"
    scores = " : ".join(str(score) for score in result["scores"])
    return f"The game is over ({clean(result['reason'])}): {winners} won, {scores}."


def _named(seat: int, names: list[str]) -> str:
    plain = f"seat {seat}"
    return plain if names[seat] == plain else f"{plain} ({clean(names[seat])})"


@click.command(
    cls=Page,
    short_help="Say whether records are sound, and deals proven.",
    statuses=(("0", "All records are sound."), *OF_RECORDS[1:]),
    examples=[
        ("sevenhues verify games/*.json", "Judge a folder of them."),
        ("sevenhues deal rainbow | sevenhues verify -", "Judge what comes from another command."),
    ],
)
@FILES
@click.pass_context
def verify(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Say for each record in FILE... whether it is sound, and where it has a proof, that the deal was what was sealed.

    The exit status is that of the worst of them.
    """
    ctx.exit(max(_verify(file) for file in files))


def _verify(file: str) -> int:
    name = source_name(file)
    try:
        found = read_record(file)
        *_, last = record.replay(found)
        dealt = ", the deal proven" if deal_proof.prove(found) else ""
    except BadRecord as error:
        return complain(f"{name}: no record: {error}", 2)
    except Unsound as error:
        return complain(f"{name}: unsound: {error}", 1)
    except OSError as error:
        return complain(f"{name}: {error.strerror}", 2)
    result = found.result or record.result_of(last)
    end = f"ended by {clean(result['reason'])}" if result else "not finished"
    click.echo(f"{clean(name)}: sound: {found.game.title}, {len(found.moves)} moves, {end}{dealt}")
    return 0
