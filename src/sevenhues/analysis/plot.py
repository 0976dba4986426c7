"""Plots an analysis report with matplotlib, from the extra `plot`."""

from pathlib import Path
from typing import Any, Final

# Colours that colour-blind people can distinguish, each with a line style.
LINES: Final = (("#6a3fb5", "-"), ("#e07b00", "--"), ("#00796b", "-."), ("#b3123d", ":"))


def plot(report: dict[str, Any], title: str, file: Path) -> None:
    """Plot every seat's chance with the turning points, and the scores."""
    from matplotlib.figure import Figure

    chances = report["chances"] is not None
    figure = Figure(figsize=(9, 6 if chances else 3.5), layout="constrained")
    axes_list = figure.subplots(2 if chances else 1, 1, squeeze=False, sharex=True)[:, 0]
    if chances:
        _plot_chances(axes_list[0], report)
    times = report["times"]
    across = [0.0, *[at / 1000 for at in times]] if times is not None else list(range(len(report["scores"])))
    for seat, name in enumerate(report["names"]):
        colour, style = LINES[seat % len(LINES)]
        axes_list[-1].step(
            across, [row[seat] for row in report["scores"]], style, color=colour, where="post", label=name
        )
    axes_list[-1].set_ylabel("score")
    axes_list[-1].set_xlabel("ply" if times is None else "seconds")
    axes_list[0].legend(loc="best", fontsize="small")
    axes_list[0].set_title(title)
    figure.savefig(file)


def _plot_chances(axes: Any, report: dict[str, Any]) -> None:
    for seat, name in enumerate(report["names"]):
        colour, style = LINES[seat % len(LINES)]
        axes.plot([100 * row[seat] for row in report["chances"]], style, color=colour, label=name)
    for turn in report["turning"]:
        ply = turn["ply"]
        move = report["moves"][ply]
        colour, _ = LINES[move["seat"] % len(LINES)]
        height = 100 * report["chances"][ply + 1][move["seat"]]
        axes.plot([ply + 1], [height], "o" if turn["kind"] == "choice" else "D", color=colour)
        axes.annotate(move["move"], (ply + 1, height), textcoords="offset points", xytext=(4, 6), fontsize="small")
    axes.set_ylim(0, 100)
    axes.set_ylabel("chance, %")
