"""Compares the speed of random play with OpenSpiel, PettingZoo and RLCard, in one run: `make bench`.

Equal games come first: Kuhn and Leduc poker on both sides, and then a game of another package, compiled and plain.
Every other figure is the best of several rounds in which all programs take turns, so that load on the machine affects
them alike. Rates are per second of CPU time, on both sides (timing.py).
Chance outcomes of OpenSpiel's games are sampled but not counted. `--json FILE` keeps all measurements.
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

import outside_game

HERE = Path(__file__).parent
Row = dict[str, Any]
RATES = ("deal", "playout", "dealt_playout", "python", "copy", "steps", "search")  # keys of rows that hold a rate
FRAMEWORKS = ("PettingZoo", "OpenSpiel", "RLCard")  # whose own games are measured
VECTOR, SINGLE = "make_vec", "SyncVectorEnv"
MEGA_FROM = 1e5  # rates from here on are shown in millions


def run(python: str, script: str, seconds: float, *arguments: str) -> list[Row]:
    """Run a script of this folder with a Python interpreter; return the rows that it prints as JSON."""
    command = [python, str(HERE / script), str(seconds), *arguments]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows: list[Row] = json.loads(output.splitlines()[-1])  # some frameworks print a greeting first
    return rows


def best(rounds: list[list[Row]]) -> list[Row]:
    """Return the rows with the best rate of all rounds."""
    best_rows = [dict(row) for row in rounds[0]]
    for rows in rounds[1:]:
        for row, other in zip(best_rows, rows, strict=True):
            for name in RATES:
                if name in row:
                    row[name] = max(row[name], other[name])
    return best_rows


def format_rate(rate: float) -> str:
    return f"{rate / 1e6:8.2f} M" if rate >= MEGA_FROM else f"{rate / 1e3:8.2f} k"


def print_games(title: str, own: list[Row], plain: dict[tuple[str, int], Row], peers: list[Row], key: str) -> None:
    """Print a rate of every game, compiled and plain, and its ratio to each of OpenSpiel's games."""
    heads = "".join(f"{'÷ ' + peer['game']:>15}" for peer in peers)
    print(f"\n{title}\n  {'':24}{'compiled':>10}{'plain':>10}{heads}")
    for row in own:
        name = f"{row['game']}, {row['seats']} seats"
        ratios = "".join(f"{row[key] / peer[key]:>14.1f}×" for peer in peers)
        plain_rate = plain[row["game"], row["seats"]][key]
        print(f"  {name:24}{format_rate(row[key])}{format_rate(plain_rate)}{ratios}")
    for peer in peers:
        print(f"  {'OpenSpiel ' + peer['game']:24}{format_rate(peer[key])}")


def print_adapters(own: list[Row], peers: list[Row]) -> None:
    """Print the rates of games through the adapters, and their ratios to the frameworks' own games.

    The nearest game is the fastest of those of PettingZoo.
    """
    heads = "".join(f"{'÷ ' + row['game']:>20}" for row in peers)
    print(f"\nThrough the adapters, decisions per second (one core)\n  {'':32}{'compiled':>10}{heads}")
    for row in own:
        if row["framework"] not in (VECTOR, SINGLE):
            ratios = "".join(f"{row['steps'] / peer['steps']:>19.1f}×" for peer in peers)
            print(f"  {row['framework'] + ' ' + row['game']:32}{format_rate(row['steps'])}{ratios}")
    for row in peers:
        print(f"  {row['framework'] + ' ' + row['game']:32}{format_rate(row['steps'])}")
    nearest = max(
        (row for row in peers if row["framework"] == "PettingZoo"), key=lambda row: row["steps"], default=None
    )
    if nearest:
        print(f"\nThrough PettingZoo and Gymnasium, ÷ {nearest['game']}, the nearest game of PettingZoo")
        for row in own:
            if row["framework"] in ("PettingZoo", "Gymnasium"):
                print(f"  {row['framework'] + ' ' + row['game']:32}{row['steps'] / nearest['steps']:>9.1f}×")


def print_vectors(rows: list[Row]) -> None:
    """Print the rates of vector environments, and the ratio of ours to Gymnasium's."""
    steps = {(row["framework"], row["game"]): row["steps"] for row in rows}
    print(f"\nVector environments, steps per second (one core)\n  {'':24}{VECTOR:>10}{SINGLE:>15}{'ratio':>8}")
    for (framework, game), own in steps.items():
        if framework == VECTOR:
            single = steps[SINGLE, game]
            print(f"  {game:24}{format_rate(own)}{format_rate(single):>15}{own / single:>7.1f}×")


def print_times(title: str, key: str, own: list[Row], plain: dict[tuple[str, int], Row]) -> None:
    """Print the time of what has a rate under a key."""
    print(f"\n{title}, compiled and plain")
    for row in own:
        times = [1e9 / each[key] for each in (row, plain[row["game"], row["seats"]])]
        print(f"  {row['game'] + ', ' + str(row['seats']) + ' seats':24}{times[0]:7.0f} ns{times[1]:7.0f} ns")


def print_equal_games(rows: list[Row]) -> None:
    """Print the rates of the poker games on both sides, and their ratios."""
    print("\nEqual games, decisions per second of CPU time (OpenSpiel: C++); the median of the ratios of all turns")
    print(f"  {'':58}{'compiled':>10}{'OpenSpiel':>11}{'ratio':>8}")
    for row in rows:
        name = f"{row['game']}: {row['figure']}"
        print(f"  {name:58}{format_rate(row['own'])}{format_rate(row['openspiel']):>11}{row['ratio']:>7.1f}×")


def measure(args: argparse.Namespace) -> dict[str, list[list[Row]]]:
    """Run all measurements; return the rows of each, by round."""
    names = ("plain", "compiled", "peer", "adapted", "frameworks", "search")
    rounds: dict[str, list[list[Row]]] = {name: [] for name in names}
    for number in range(args.rounds):
        print(f"round {number + 1} of {args.rounds} …", flush=True)
        rounds["plain"].append(run(args.plain, "own_games.py", args.seconds / 2))
        rounds["compiled"].append(run(args.compiled, "own_games.py", args.seconds))
        rounds["peer"].append(run(args.peer, "openspiel_games.py", args.seconds))
        rounds["adapted"].append(run(args.compiled, "adapted.py", args.seconds))
        rounds["frameworks"].append(run(args.peer, "frameworks.py", args.seconds, *args.frameworks))
        searches = [run(python, "search.py", args.seconds) for python in (args.compiled, args.peer)]
        rounds["search"].append(searches[0] + searches[1])
    return rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("plain", "compiled", "peer"):
        parser.add_argument(f"--{name}", required=True, help=f"the Python interpreter of the {name} environment")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure and round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--frameworks", nargs="*", default=FRAMEWORKS, help="whose own games are measured")
    parser.add_argument("--json", type=Path, help="a file for all measurements")
    args = parser.parse_args()
    equal = run(args.compiled, "equal_games.py", args.seconds)
    print_equal_games(equal)
    outside = outside_game.measure(args.plain, args.compiled, args.seconds, args.rounds)
    outside_game.print_rows(outside)
    rounds = measure(args)
    if args.json:
        args.json.write_text(json.dumps({"equal": equal, "outside": outside, **rounds}, indent=1), encoding="utf-8")
    plain = {(row["game"], row["seats"]): row for row in best(rounds["plain"])}
    compiled, peers = best(rounds["compiled"]), best(rounds["peer"])
    print_games("Random playouts, decisions per second (OpenSpiel: rollouts in C++)", compiled, plain, peers, "playout")
    print_games("Random playouts with a deal for each game, decisions per second", compiled, plain, [], "dealt_playout")
    title = "Stepped from a Python loop (to_act, legal, play), decisions per second"
    print_games(title, compiled, plain, peers, "python")
    print_times("Dealing a game for a simulation", "deal", compiled, plain)
    print_times("Copying a dealt position", "copy", compiled, plain)
    adapted = best(rounds["adapted"])
    print_adapters(adapted, best(rounds["frameworks"]))
    print_vectors(adapted)
    print("\nInformation-set tree search of the first move, simulations per second (OpenSpiel: C++, one rollout each)")
    for row in best(rounds["search"]):
        print(f"  {row['game']:32}{row['search'] / 1e3:8.1f} k")


if __name__ == "__main__":
    main()
