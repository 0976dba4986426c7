"""Random games by the thousand: `simulate`."""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click

from sevenhues import COMPILED
from sevenhues.cli.help_format import Page
from sevenhues.cli.params import GAME, JSON, OPTION, SEATS, SEED, new_seed, read_options, seed_bytes
from sevenhues.core import record
from sevenhues.core.game import Game, OptionValue, Position
from sevenhues.core.play import deal, playout, random_game
from sevenhues.core.rng import Rng


class Tally:
    """What many games came to."""

    def __init__(self, seats: int) -> None:
        self.lengths: list[int] = []
        self.wins = [0] * seats
        self.undecided = 0
        self.reasons: Counter[str] = Counter()
        self.seconds = 0.0

    def count(self, position: Position, decisions: int) -> None:
        """Take in a finished game."""
        outcome = position.outcome()
        assert outcome is not None
        self.lengths.append(decisions)
        self.reasons[outcome.reason] += 1
        self.undecided += not outcome.winners
        for seat in outcome.winners:
            self.wins[seat] += 1

    def report(self) -> dict[str, Any]:
        """Sum up, as JSON."""
        games, decisions = len(self.lengths), sum(self.lengths)
        return {
            "games": games,
            "decisions": decisions,
            "seconds": round(self.seconds, 3),
            "games_per_second": round(games / self.seconds, 1),
            "decisions_per_second": round(decisions / self.seconds, 1),
            "length": {"shortest": min(self.lengths), "mean": decisions / games, "longest": max(self.lengths)},
            "win_shares": [wins / games for wins in self.wins],
            "nobody_won": self.undecided / games,
            "reasons": {reason: count / games for reason, count in self.reasons.most_common()},
        }


@click.command(
    cls=Page,
    short_help="Play random games: speed, lengths, winners.",
    examples=[
        ("sevenhues simulate rainbow", "A thousand games: how fast, how long, who wins?"),
        ("sevenhues simulate nimble -n 20 --seats 4 --save games", "Twenty records to look at."),
    ],
)
@GAME
@click.option("-n", "number", type=click.IntRange(min=1), default=1000, show_default=True, help="How many games.")
@SEATS
@OPTION
@SEED
@click.option("--save", type=click.Path(file_okay=False, path_type=Path), help="Write each game's record to a folder.")
@JSON
def simulate(
    game: Game[Any],
    number: int,
    seats: int | None,
    given: tuple[str, ...],
    seed: str | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Play random games of GAME and report speed, lengths, winners and endings."""
    options, seed = read_options(game, given), new_seed() if seed is None else seed
    seats = deal(game, b"", seats, options).seats
    if save is not None:
        save.mkdir(parents=True, exist_ok=True)
    tally = Tally(seats)
    quiet = not sys.stderr.isatty()
    with click.progressbar(length=number, label=f"Playing {game.title}", file=sys.stderr, hidden=quiet) as bar:
        step = max(1, number // 200)
        for i in range(number):
            _play_one(game, seats, options, f"{seed}/{i}", save and save / f"{game.id}-{i:06}.json", tally)
            if (i + 1) % step == 0 or i + 1 == number:
                bar.update(i + 1 - bar.pos)
    report = {"game": game.id, "seats": seats, "options": options, "seed": seed, "compiled": COMPILED, **tally.report()}
    click.echo(json.dumps(report) if as_json else _told(game, report))


def _play_one(
    game: Game[Any], seats: int, options: dict[str, OptionValue], seed: str, file: Path | None, tally: Tally
) -> None:
    started = time.perf_counter()
    position, rng = deal(game, seed_bytes(seed), seats, options), Rng.seeded(seed)
    if file is None:
        tally.count(position, playout(position, rng))
        tally.seconds += time.perf_counter() - started
        return
    written = record.begin(game, position, options)
    written.moves = random_game(game, position, rng)
    written.result = record.result_of(position)
    tally.count(position, len(written.moves))
    tally.seconds += time.perf_counter() - started
    file.write_text(record.write(written), encoding="utf-8")


def _told(game: Game[Any], report: dict[str, Any]) -> str:
    length = report["length"]
    won = [f"seat {seat} {share:.1%}" for seat, share in enumerate(report["win_shares"])]
    ended = [f"{reason} {share:.1%}" for reason, share in report["reasons"].items()]
    how = "compiled" if report["compiled"] else "pure Python"
    return "\n".join(
        [
            f"{game.title}: {report['games']:,} random games, {report['seats']} seats, seed {report['seed']}",
            f"  speed     {report['decisions_per_second']:,.0f} decisions and {report['games_per_second']:,.0f} games"
            f" a second, deals included ({how})",
            f"  length    {length['shortest']} to {length['longest']} decisions, {length['mean']:.1f} on average",
            f"  won by    {', '.join(won)}, nobody {report['nobody_won']:.1%}",
            f"  ended by  {', '.join(ended)}",
        ]
    )
