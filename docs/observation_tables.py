"""Writes docs/observations.md from the layouts of the games: `make tables`."""

from pathlib import Path
from typing import Any

import sevenhues
from sevenhues.adapters.configured_game import ConfiguredGame
from sevenhues.adapters.openspiel import information_state_layout
from sevenhues.core.encoder import Feature
from sevenhues.core.game import Game

PAGE = Path(__file__).with_name("observations.md")
HEAD = """# Observations by index

Written by `make tables` from the layouts in the code; a test compares them. Every number is a whole number from 0 to
the highest one given. The viewer is the seat that is shown the observation. Options change no table.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *[section(sevenhues.load(name)) for name in sevenhues.names()]])


def section(game: Game[Any]) -> str:
    """Return all tables of a game: observation and information state, for each number of seats."""
    parts = [f"## {game.title} (`{game.id}`)\n"]
    configurations = [ConfiguredGame(game, seats) for seats in range(game.min_seats, game.max_seats + 1)]
    for configured in configurations:
        size = sum(feature.size for feature in configured.layout)
        wait = ", the last of which is to wait" if game.simultaneous else ""
        head = f"{size} numbers, {configured.action_count} actions{wait}."
        if len(configurations) > 1:
            head = f"With {configured.seats} seat{'s' * (configured.seats > 1)}: {head}"
        parts += [f"{head}\n", table(configured.layout)]
        information_state = information_state_layout(configured)
        if information_state:
            parts += [f"OpenSpiel's information-state tensor: 0 is the viewer's seat, 1–{size} the observation, then\n"]
            parts += [table(information_state[1 + len(configured.layout) :], 1 + size)]
    return "\n".join(parts)


def table(layout: tuple[Feature, ...], at: int = 0) -> str:
    """Return a table of a layout with the indices of its numbers, from `at` on."""
    lines = ["| index | name | highest | meaning |", "|---|---|---|---|"]
    for feature in layout:
        index = str(at) if feature.size == 1 else f"{at}–{at + feature.size - 1}"
        lines.append(f"| {index} | `{feature.name}` | {feature.high} | {feature.about.replace('|', '/')} |")
        at += feature.size
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
