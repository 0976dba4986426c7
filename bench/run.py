"""Random play measured beside OpenSpiel, PettingZoo and RLCard, in one run: `make bench`.

Every figure is decisions a second from a position that is already dealt, the best of several rounds in which all
programs take turns, so that a noisy machine disturbs them alike. Chance draws of the peers are made but not counted.
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Row = dict[str, Any]


def run(python: str, script: str, seconds: float) -> list[Row]:
    command = [python, str(HERE / script), str(seconds)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows: list[Row] = json.loads(said.splitlines()[-1])  # some frameworks greet first
    return rows


def best(rounds: list[list[Row]]) -> list[Row]:
    """Take the best figure of all rounds, row by row."""
    kept = [dict(row) for row in rounds[0]]
    for rows in rounds[1:]:
        for row, other in zip(kept, rows, strict=True):
            for name in ("playout", "python", "copy", "steps", "search"):
                if name in row:
                    row[name] = max(row[name], other[name])
    return kept


def shown(rate: float) -> str:
    return f"{rate / 1e6:8.2f} M" if rate >= 1e5 else f"{rate / 1e3:8.2f} k"


def table(title: str, ours: list[Row], plain: dict[tuple[str, int], Row], peers: list[Row], key: str) -> None:
    heads = "".join(f"{'÷ ' + peer['game']:>15}" for peer in peers)
    print(f"\n{title}\n  {'':24}{'compiled':>10}{'plain':>10}{heads}")
    for row in ours:
        name = f"{row['game']}, {row['seats']} seats"
        ratios = "".join(f"{row[key] / peer[key]:>14.1f}×" for peer in peers)
        print(f"  {name:24}{shown(row[key])}{shown(plain[row['game'], row['seats']][key])}{ratios}")
    for peer in peers:
        print(f"  {'OpenSpiel ' + peer['game']:24}{shown(peer[key])}")


def through(ours: list[Row], theirs: list[Row]) -> None:
    """Print steps through the frameworks, and how many times their own games' each is."""
    heads = "".join(f"{'÷ ' + row['game']:>20}" for row in theirs)
    print(f"\nThrough the adapters, decisions a second (one core)\n  {'':32}{'compiled':>10}{heads}")
    for row in ours:
        ratios = "".join(f"{row['steps'] / other['steps']:>19.1f}×" for other in theirs)
        print(f"  {row['through'] + ' ' + row['game']:32}{shown(row['steps'])}{ratios}")
    for row in theirs:
        print(f"  {row['through'] + ' ' + row['game']:32}{shown(row['steps'])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("plain", "compiled", "peer"):
        parser.add_argument(f"--{name}", required=True, help=f"the {name} environment's Python")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure and round")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    names = ("plain", "compiled", "peer", "adapted", "frameworks", "search")
    rounds: dict[str, list[list[Row]]] = {name: [] for name in names}
    for number in range(given.rounds):
        print(f"round {number + 1} of {given.rounds} …", flush=True)
        rounds["plain"].append(run(given.plain, "ours.py", given.seconds / 2))
        rounds["compiled"].append(run(given.compiled, "ours.py", given.seconds))
        rounds["peer"].append(run(given.peer, "peers.py", given.seconds))
        rounds["adapted"].append(run(given.compiled, "adapted.py", given.seconds))
        rounds["frameworks"].append(run(given.peer, "frameworks.py", given.seconds))
        searches = [run(python, "search.py", given.seconds) for python in (given.compiled, given.peer)]
        rounds["search"].append(searches[0] + searches[1])
    plain = {(row["game"], row["seats"]): row for row in best(rounds["plain"])}
    compiled, peers = best(rounds["compiled"]), best(rounds["peer"])
    table("Random playouts, decisions a second (peers: rollouts in C++)", compiled, plain, peers, "playout")
    table("Stepped from a Python loop (to_act, legal, play), decisions a second", compiled, plain, peers, "python")
    print("\nCopying a dealt position, compiled and plain")
    for row in compiled:
        times = [1e9 / each["copy"] for each in (row, plain[row["game"], row["seats"]])]
        print(f"  {row['game'] + ', ' + str(row['seats']) + ' seats':24}{times[0]:7.0f} ns{times[1]:7.0f} ns")
    through(best(rounds["adapted"]), best(rounds["frameworks"]))
    print("\nInformation-set tree search of the first move, simulations a second (peers in C++, one rollout each)")
    for row in best(rounds["search"]):
        print(f"  {row['game']:32}{row['search'] / 1e3:8.1f} k")


if __name__ == "__main__":
    main()
