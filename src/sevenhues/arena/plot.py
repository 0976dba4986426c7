"""Plots the report of a match with matplotlib, from the extra `plot`."""

from pathlib import Path
from typing import Any


def plot(report: dict[str, Any], title: str, file: Path) -> None:
    """Plot every pairing's share with its confidence interval."""
    from matplotlib.figure import Figure

    rows = [row for row in report["pairings"] if row["share"] is not None][::-1]
    figure = Figure(figsize=(8, 1.2 + 0.4 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    for at, row in enumerate(rows):
        axes.plot([100 * row["low"], 100 * row["high"]], [at, at], color="#6a3fb5", linewidth=3)
        axes.plot([100 * row["share"]], [at], "o", color="#e07b00")
    axes.set_yticks(range(len(rows)), [_name(row) for row in rows])
    axes.set_xlim(0, 100)
    axes.axvline(50, color="#999999", linewidth=1)
    axes.set_xlabel("share of decided games, %, with 95 % interval")
    axes.set_title(title)
    figure.savefig(file)


def _name(row: dict[str, Any]) -> str:
    return f"{row['bot']} – {row['against']}" if row["against"] else str(row["bot"])
