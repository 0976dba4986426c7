"""The command `train`: train a network by self-play."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from sevenhues.cli.help_format import Command
from sevenhues.cli.params import GAME, SEATS
from sevenhues.core.errors import BadOption
from sevenhues.core.game import Game

REPORT_SECONDS = 15.0


@click.command(
    cls=Command,
    short_help="Train a network by self-play.",
    examples=[
        ("sevenhues train rainbow --minutes 10 --out mine.npz", "Train for ten minutes; run with 20 to continue."),
        ("sevenhues arena rainbow --bots net:mine.npz,player", "Measure the strength of the network."),
    ],
)
@GAME
@SEATS
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=1.0,
    show_default=True,
    help="The training time in total, earlier runs with the same --out included.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="The checkpoint file; by default GAME.npz."
)
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Train a best response to this network.",
)
@click.option(
    "--report-seconds", type=float, default=REPORT_SECONDS, show_default=True, help="The interval between reports."
)
@click.option(
    "--games",
    "games_at_once",
    type=click.IntRange(min=1),
    help="The number of games that are played at once; by default 32768 on a GPU and 256 on a CPU.",
)
@click.option(
    "--devices", type=click.IntRange(min=1), help="The number of devices; by default all devices that JAX sees."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The random seed.")
@click.option(
    "--export",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file for the network without the state of the training.",
)
def train(
    game: Game[Any],
    seats: int | None,
    minutes: float,
    out: Path | None,
    against: Path | None,
    report_seconds: float,
    games_at_once: int | None,
    devices: int | None,
    seed: int,
    export: Path | None,
) -> None:
    """Train a network to play GAME by self-play, and report its results against fixed opponents.

    Training needs a GPU to be fast; a CPU is enough to try it. With the file of an earlier run as --out, training
    resumes, until --minutes in total. With --against, the network starts as a copy of another one and is trained to
    beat that one only: its win rate measures how exploitable the other network is.

    All GPUs of the machine share the games equally. The same seed deals the same games for any number of them.
    """
    try:
        from sevenhues.nets.network import Network
        from sevenhues.training.run import TrainingRun, default_settings, progress_line
    except ModuleNotFoundError as error:
        raise BadOption('training needs JAX: pip install "sevenhues[jax]"') from error
    file = out or Path(f"{game.id}.npz")
    for target in (file, export or file):
        if not target.absolute().parent.is_dir():
            raise BadOption(f"{target}: there is no folder {target.parent}")
    settings = default_settings()
    if games_at_once is not None:
        settings = replace(settings, games=games_at_once)
    training = TrainingRun(game, minutes, file, seats, settings, against, seed, devices=devices)
    training.run(report_seconds, lambda report: click.echo(progress_line(report)))
    click.echo(f"The network is in {file}. To measure it: `sevenhues arena {game.id} --bots net:{file},…`.")
    if export is not None:
        Network.read(file).write(export)
