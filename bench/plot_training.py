"""Plots the shares of wins over the minutes of training runs, from their files.

python bench/plot_training.py --out docs/pictures/training.png rainbow.npz rainbow-road.npz
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

LINES = {"vs_random": ("#6a3fb5", "-"), "vs_plain": ("#e07b00", "--"), "vs_frozen": ("#00796b", "-.")}
NAMES = {"vs_random": "random play", "vs_plain": "the plain player", "vs_frozen": "the network it responds to"}


def read_metadata(file: Path) -> dict[str, Any]:
    """Read the metadata of a training run."""
    with np.load(file) as arrays:
        metadata: dict[str, Any] = json.loads(bytes(arrays["card"]).decode())
    return metadata


def main() -> None:
    """Plot one panel for each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    figure = Figure(figsize=(4.2 * len(args.files), 3.4), layout="constrained")
    panels = figure.subplots(1, len(args.files), squeeze=False, sharey=True)[0]
    for axes, file in zip(panels, args.files, strict=True):
        metadata = read_metadata(file)
        minutes = [report["seconds"] / 60 for report in metadata["curve"]]
        for name, (colour, style) in LINES.items():
            if name in metadata["curve"][0]:
                shares = [100 * report[name] for report in metadata["curve"]]
                axes.plot(minutes, shares, style, color=colour, label=NAMES[name])
        kind = "a best response" if metadata["against"] else "self-play"
        axes.set_title(f"{metadata['game']}: {kind}", fontsize="medium")
        axes.set_xlabel("minutes of training")
        axes.grid(alpha=0.3)
    panels[0].set_ylim(0, 100)
    panels[0].set_ylabel("games won against, %")
    panels[0].legend(fontsize="small", loc="lower right")
    figure.savefig(args.out, dpi=110)


if __name__ == "__main__":
    main()
