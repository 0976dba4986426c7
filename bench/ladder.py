"""Replays the strength figures of the documents and compares each with its stated interval: `make ladder`.

python bench/ladder.py [--only TEXT] [--games N] [--minutes M] [--jobs N] [--save DIR] [--restate]

Results are saved game by game, in a folder for this version of the code, so that an interrupted run resumes. The exit
status is 0 if all figures lie in their intervals, 1 if one lies outside, and 3 if --minutes ended the run before.
"""

import argparse
import sys
import time
from hashlib import sha256
from pathlib import Path

from ladder_figures import Figure, read, restate

import sevenhues
from sevenhues.arena import players
from sevenhues.arena.match import Match, Pairing, play_all, tasks
from sevenhues.arena.players import Player
from sevenhues.arena.report import report
from sevenhues.arena.results_file import ResultsFile
from sevenhues.core.bot_support import NETWORK_FILE
from sevenhues.core.game import resolve_options
from sevenhues.core.resources import resource_path
from sevenhues.executors import Executor, make

SAVE = Path(".ladder")
OUTSIDE, UNFINISHED = 1, 3  # exit statuses
CODE = ("core", "games", "bots", "nets", "arena")  # the packages that results depend on
Counts = tuple[float, float, int]  # won, lost, drawn


def version() -> str:
    """Return a digest of all code and networks that results depend on."""
    package = Path(sevenhues.__file__).parent
    digest = sha256()
    for file in sorted(file for name in CODE for file in (package / name).rglob("*")):
        if file.suffix in (".py", ".npz"):
            digest.update(f"{file.relative_to(package)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def player(game_name: str, name: str) -> Player:
    """Return a player; `look:master` is the master's network looking a move ahead."""
    game = sevenhues.load(game_name)
    if name == players.PEEK:
        return Player(players.PEEK, sees_hidden=True)
    kind, _, network = name.partition(":")
    return players.parse_players(game, f"{kind}:{resource_path(game, NETWORK_FILE)}" if network else name)[0]


class Replay:
    """A figure that is played again. `games` limits the number of games."""

    def __init__(self, table: str, figure: Figure, folder: Path, games: int | None) -> None:
        self.table = table
        self.figure = figure
        self.name = f"{table}: {figure.match}"
        options = resolve_options(sevenhues.load(figure.game), figure.options)
        self.match = Match(figure.game, figure.seats, options, figure.seed, figure.budget, figure.reactions_of)
        bots = [player(figure.game, name) for name in figure.bots]
        self.players = bots
        self.pairing = Pairing(bots[0], bots[1] if figure.seats > 1 else None)
        self.todo = list(tasks([self.pairing], figure.seats, min(games or figure.games, figure.games)))
        self.folder = folder / sha256(self.name.encode()).hexdigest()[:12]

    def play(self, executor: Executor, deadline: float) -> Counts | None:
        """Play the games that have no saved result; return the counts, or None if the time is over before the end."""
        saved = ResultsFile(self.folder)
        try:
            saved.open(self.match)
            for result in play_all(self.match, saved.missing(self.todo, self.match.seats), executor):
                saved.add(result)
                if time.monotonic() > deadline:
                    break
            results = saved.of(self.todo, self.match.seats)
        finally:
            saved.close()
        if len(results) < len(self.todo):
            return None
        (row,) = report(self.players, [self.pairing], list(zip(self.todo, results, strict=True)))["pairings"]
        return row["wins"], row["losses"], row["drawn"]

    def reduced(self) -> bool:
        """Tell whether fewer games are played than the figure states."""
        return len(self.todo) < self.figure.games


def verdict(figure: Figure, counts: Counts) -> str:
    """Compare a result with the stated one: equal, inside or OUTSIDE."""
    won, lost, _ = counts
    if counts == (figure.won, figure.lost, figure.drawn):
        return "equal"
    low, high = figure.interval
    return "inside" if won + lost and low <= won / (won + lost) <= high else "OUTSIDE"


def line(name: str, figure: Figure, counts: Counts, conclusion: str) -> str:
    """Format a figure: stated, measured, verdict."""
    low, high = figure.interval
    won, lost, drawn = counts
    share = f"{100 * won / (won + lost):.1f} %" if won + lost else "–"
    stated = f"{100 * figure.share:.1f} % ({100 * low:.1f} – {100 * high:.1f})"
    return f"{name:<62} stated {stated:<24} measured {share:>7} ({won:g} – {lost:g} – {drawn})  {conclusion}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="replay only figures whose name contains this text")
    parser.add_argument("--games", type=int, help="play at most so many games of each match, to try it; no verdict")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    parser.add_argument("--jobs", type=int, default=1, help="the number of processes")
    parser.add_argument("--save", type=Path, default=SAVE, help="the folder of the results")
    parser.add_argument("--restate", action="store_true", help="write what was measured to ladder.json")
    args = parser.parse_args()
    folder = args.save / version()
    deadline = time.monotonic() + 60 * args.minutes
    replays = [Replay(table, figure, folder, args.games) for table, figures in read().items() for figure in figures]
    replays = [replay for replay in replays if args.only in replay.name]
    measured: dict[tuple[str, str], Counts] = {}
    conclusions = []
    with make(args.jobs) as executor:
        for replay in replays:
            counts = replay.play(executor, deadline) if time.monotonic() < deadline else None
            if counts is None:
                conclusion = "not measured"
                print(f"{replay.name:<62} not measured: the time is over", flush=True)
            else:
                conclusion = verdict(replay.figure, counts)
                if replay.reduced():
                    conclusion = f"tried only, {len(replay.todo)} of {replay.figure.games} games"
                else:
                    measured[replay.table, replay.figure.match] = counts
                print(line(replay.name, replay.figure, counts, conclusion), flush=True)
            conclusions.append(conclusion)
    if args.restate:
        restate(measured)
    outside, unfinished = conclusions.count("OUTSIDE"), conclusions.count("not measured")
    inside = conclusions.count("equal") + conclusions.count("inside")
    print(f"{inside} of {len(conclusions)} figures confirmed; {outside} outside, {unfinished} not measured")
    return OUTSIDE if outside else UNFINISHED if unfinished else 0


if __name__ == "__main__":
    sys.exit(main())
