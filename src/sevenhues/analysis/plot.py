"""Draws a story with matplotlib, which comes with the extra `plot`."""

from pathlib import Path
from typing import Any, Final

from sevenhues.arena.plot import check

__all__ = ["check", "plot"]

# Hues that people who see few colours can tell apart, and a line style each.
LINES: Final = (("#6a3fb5", "-"), ("#e07b00", "--"), ("#00796b", "-."), ("#b3123d", ":"))


def plot(story: dict[str, Any], title: str, file: Path) -> None:
    """Draw every seat's chance with the turning points, and the scores."""
    from matplotlib.figure import Figure

    chances = story["chances"] is not None
    figure = Figure(figsize=(9, 6 if chances else 3.5), layout="constrained")
    parts = figure.subplots(2 if chances else 1, 1, squeeze=False, sharex=True)[:, 0]
    if chances:
        _chances(parts[0], story)
    times = story["times"]
    across = [0.0, *[at / 1000 for at in times]] if times is not None else list(range(len(story["scores"])))
    for seat, name in enumerate(story["names"]):
        colour, style = LINES[seat % len(LINES)]
        parts[-1].step(across, [row[seat] for row in story["scores"]], style, color=colour, where="post", label=name)
    parts[-1].set_ylabel("score")
    parts[-1].set_xlabel("ply" if times is None else "seconds")
    parts[0].legend(loc="best", fontsize="small")
    parts[0].set_title(title)
    figure.savefig(file)


def _chances(axes: Any, story: dict[str, Any]) -> None:
    for seat, name in enumerate(story["names"]):
        colour, style = LINES[seat % len(LINES)]
        axes.plot([100 * row[seat] for row in story["chances"]], style, color=colour, label=name)
    for turn in story["turning"]:
        ply = turn["ply"]
        move = story["moves"][ply]
        colour, _ = LINES[move["seat"] % len(LINES)]
        height = 100 * story["chances"][ply + 1][move["seat"]]
        axes.plot([ply + 1], [height], "o" if turn["kind"] == "choice" else "D", color=colour)
        axes.annotate(move["move"], (ply + 1, height), textcoords="offset points", xytext=(4, 6), fontsize="small")
    axes.set_ylim(0, 100)
    axes.set_ylabel("chance, %")
