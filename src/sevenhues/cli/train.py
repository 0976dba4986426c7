"""Networks by self-play: `train`."""

from pathlib import Path
from typing import Any

import click

from sevenhues.cli.help_format import Page
from sevenhues.cli.params import GAME, SEATS
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game

EVERY = 15.0


@click.command(
    cls=Page,
    short_help="Train a network by self-play.",
    examples=[
        ("sevenhues train rainbow --minutes 10 --out mine.npz", "Ten minutes; again with 20 goes on where it stopped."),
        ("sevenhues arena rainbow --bots net:mine.npz,player", "How strong is it now?"),
    ],
)
@GAME
@SEATS
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=1.0, show_default=True, help="In all.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The network, and all to go on from it.")
@click.option("--against", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Learn to beat this one.")
@click.option("--every", type=float, default=EVERY, show_default=True, help="Seconds between reports.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed draws the same network.")
@click.option("--export", type=click.Path(dir_okay=False, path_type=Path), help="The network alone, to ship.")
def train(
    game: Game[Any],
    seats: int | None,
    minutes: float,
    out: Path | None,
    against: Path | None,
    every: float,
    seed: int,
    export: Path | None,
) -> None:
    """Train a network to play GAME against itself, and say how it fares against fixed opponents.

    With a GPU this is fast; without one it is enough to see that it works. The same --out goes on where it stopped,
    until it has trained so many minutes in all. --against trains a best response: how well somebody can do who begins
    as that network and learns to beat it, and nothing else.
    """
    try:
        from sevenhues.nets.network import Net
        from sevenhues.training.run import Training, line
    except ModuleNotFoundError as error:
        raise BadOption('training needs JAX: pip install "sevenhues[jax]"') from error
    file = out or Path(f"{game.id}.npz")
    for target in (file, export or file):
        if not target.absolute().parent.is_dir():
            raise BadOption(f"{target}: there is no folder {target.parent}")
    training = Training(game, minutes, file, seats, against=against, seed=seed)
    training.run(every, lambda told: click.echo(line(told)))
    click.echo(f"The network is in {file}: try `sevenhues arena {game.id} --bots net:{file},…`.")
    if export is not None:
        Net.read(file).write(export)
