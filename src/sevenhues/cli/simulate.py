"""The command `simulate`: statistics of random games."""

import json
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from sevenhues import COMPILED, executors
from sevenhues.cli.help_format import Command
from sevenhues.cli.params import GAME, JOBS, JSON, ON, OPTION, SEATS, SEED, new_seed, read_options
from sevenhues.core import record
from sevenhues.core.game import Game, check_seats, default_seats
from sevenhues.core.options import OptionValue
from sevenhues.core.play import playout, random_game
from sevenhues.core.record import Record
from sevenhues.core.rng import Rng

PROGRESS_STEPS = 200


class Played(NamedTuple):
    """What statistics need of a finished game, and its record if it is to be saved."""

    decisions: int
    winners: list[int]
    reason: str
    seconds: float
    record_text: str | None


class Statistics:
    """The lengths, winners and endings of games."""

    def __init__(self, seats: int) -> None:
        self.lengths: list[int] = []
        self.wins = [0] * seats
        self.without_winner = 0
        self.reasons: Counter[str] = Counter()
        self.seconds = 0.0  # of all processes together

    def add(self, played: "Played") -> None:
        """Add a finished game."""
        self.lengths.append(played.decisions)
        self.reasons[played.reason] += 1
        self.without_winner += not played.winners
        self.seconds += played.seconds
        for seat in played.winners:
            self.wins[seat] += 1

    def report(self) -> dict[str, Any]:
        """Return the statistics as JSON."""
        games, decisions = len(self.lengths), sum(self.lengths)
        return {
            "games": games,
            "decisions": decisions,
            "seconds": round(self.seconds, 6),
            "games_per_second": round(games / self.seconds, 1),
            "decisions_per_second": round(decisions / self.seconds, 1),
            "length": {"shortest": min(self.lengths), "mean": decisions / games, "longest": max(self.lengths)},
            "win_shares": [wins / games for wins in self.wins],
            "nobody_won": self.without_winner / games,
            "reasons": {reason: count / games for reason, count in self.reasons.most_common()},
        }


@click.command(
    cls=Command,
    short_help="Play random games: speed, lengths, winners.",
    examples=[
        ("sevenhues simulate rainbow", "Play a thousand games and report on them."),
        ("sevenhues simulate nimble -n 20 --seats 4 --save games", "Save twenty records."),
    ],
)
@GAME
@click.option(
    "-n", "--games", "count", type=click.IntRange(min=1), default=1000, show_default=True, help="The number of games."
)
@SEATS
@OPTION
@SEED
@JOBS
@ON
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="A folder for the records of the games.")
@JSON
def simulate(
    game: Game[Any],
    count: int,
    seats: int | None,
    option_pairs: tuple[str, ...],
    seed: str | None,
    jobs: int | None,
    cluster: str | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play random games of GAME, and report on speed, lengths, winners and endings.

    The games depend on the seed alone, not on the number of processes. The speed is that of one process.
    """
    options, seed = read_options(game, option_pairs), new_seed() if seed is None else seed
    seats = check_seats(game, default_seats(game) if seats is None else seats)
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    statistics = Statistics(seats)
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=count, label=f"Playing {game.title}", file=sys.stderr, hidden=hidden) as bar:
        step = max(1, count // PROGRESS_STEPS)
        play = partial(_play_one, game, seats, options, seed, save is not None)
        with executors.make(jobs, cluster) as executor:
            for i, played in enumerate(executor.run(play, range(count))):
                statistics.add(played)
                if save is not None and played.record_text is not None:
                    (save / f"{game.id}-{i:06}.json").write_text(played.record_text, encoding="utf-8")
                if (i + 1) % step == 0 or i + 1 == count:
                    bar.update(i + 1 - bar.pos)
    settings = {"game": game.id, "seats": seats, "options": options, "seed": seed, "compiled": COMPILED}
    report = settings | statistics.report()
    click.echo(json.dumps(report) if as_json else _format_report(game, report))


def _play_one(
    game: Game[Any], seats: int, options: dict[str, OptionValue], seed: str, recorded: bool, number: int
) -> Played:
    started = time.perf_counter()
    rng = Rng.seeded(f"{seed}/{number}")
    position = game.quick_start(seats, options, rng)
    game_record: Record | None = None
    if recorded:
        game_record = record.begin(game, position, options)
        game_record.moves = random_game(game, position, rng)
        game_record.result = record.result_of(position)
        decisions = len(game_record.moves)
    else:
        decisions = playout(position, rng)
    outcome = position.outcome()
    assert outcome is not None
    seconds = time.perf_counter() - started
    record_text = record.write(game_record) if game_record else None
    return Played(decisions, outcome.winners, outcome.reason, seconds, record_text)


def _format_report(game: Game[Any], report: dict[str, Any]) -> str:
    length = report["length"]
    wins = [f"seat {seat} {share:.1%}" for seat, share in enumerate(report["win_shares"])]
    endings = [f"{reason} {share:.1%}" for reason, share in report["reasons"].items()]
    build = "compiled" if report["compiled"] else "pure Python"
    return "\n".join(
        [
            f"{game.title}: {report['games']:,} random games, {report['seats']} seats, seed {report['seed']}",
            f"  speed     {report['decisions_per_second']:,.0f} decisions and {report['games_per_second']:,.0f} games"
            f" per second, deals included ({build})",
            f"  length    {length['shortest']} to {length['longest']} decisions, {length['mean']:.1f} on average",
            f"  won by    {', '.join(wins)}, nobody {report['nobody_won']:.1%}",
            f"  ended by  {', '.join(endings)}",
        ]
    )
