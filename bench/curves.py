"""Draws how trainings went, from the files that they wrote: shares of wins over minutes.

python bench/curves.py --out docs/pictures/training.png rainbow.npz rainbow-road.npz
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

LINES = {"vs_random": ("#6a3fb5", "-"), "vs_plain": ("#e07b00", "--"), "vs_frozen": ("#00796b", "-.")}
NAMES = {"vs_random": "random play", "vs_plain": "the plain player", "vs_frozen": "the network it responds to"}


def card(file: Path) -> dict[str, Any]:
    """Read what a training says of itself."""
    with np.load(file) as kept:
        told: dict[str, Any] = json.loads(bytes(kept["card"]).decode())
    return told


def main() -> None:
    """Draw one part a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    figure = Figure(figsize=(4.2 * len(given.files), 3.4), layout="constrained")
    parts = figure.subplots(1, len(given.files), squeeze=False, sharey=True)[0]
    for axes, file in zip(parts, given.files, strict=True):
        told = card(file)
        minutes = [one["seconds"] / 60 for one in told["curve"]]
        for name, (colour, style) in LINES.items():
            if name in told["curve"][0]:
                shares = [100 * one[name] for one in told["curve"]]
                axes.plot(minutes, shares, style, color=colour, label=NAMES[name])
        what = "a best response" if told["against"] else "self-play"
        axes.set_title(f"{told['game']}: {what}", fontsize="medium")
        axes.set_xlabel("minutes of training")
        axes.grid(alpha=0.3)
    parts[0].set_ylim(0, 100)
    parts[0].set_ylabel("games won against, %")
    parts[0].legend(fontsize="small", loc="lower right")
    figure.savefig(given.out, dpi=110)


if __name__ == "__main__":
    main()
