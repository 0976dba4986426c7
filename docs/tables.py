"""Writes docs/observations.md from the layouts in the code: `make tables`."""

from pathlib import Path
from typing import Any

import sevenhues
from sevenhues.adapters.configured_game import Variant
from sevenhues.adapters.openspiel import information_state_layout
from sevenhues.core.encoder import Feature
from sevenhues.core.game import Game

PAGE = Path(__file__).with_name("observations.md")
HEAD = """# Observations by index

Written by `make tables` from the layouts in the code; a test compares them. Every number is a whole number from 0 to
the highest one given. The viewer is the seat that is shown the observation. Options change no table.
"""


def page() -> str:
    """Write the whole page."""
    return "\n".join([HEAD, *[section(sevenhues.load(name)) for name in sevenhues.names()]])


def section(game: Game[Any]) -> str:
    """Write all tables of a game: the observation for each number of seats, and what it can recall."""
    parts = [f"## {game.title} (`{game.id}`)\n"]
    variants = [Variant(game, seats) for seats in range(game.min_seats, game.max_seats + 1)]
    for variant in variants:
        size = sum(feature.size for feature in variant.layout)
        wait = ", the last of which is to wait" if game.simultaneous else ""
        head = f"{size} numbers, {variant.action_count} actions{wait}."
        if len(variants) > 1:
            head = f"With {variant.seats} seat{'s' * (variant.seats > 1)}: {head}"
        parts += [f"{head}\n", table(variant.layout)]
        recalled = information_state_layout(variant)
        if recalled:
            parts += [f"OpenSpiel's information-state tensor: 0 is the viewer's seat, 1–{size} the observation, then\n"]
            parts += [table(recalled[1 + len(variant.layout) :], 1 + size)]
    return "\n".join(parts)


def table(layout: tuple[Feature, ...], at: int = 0) -> str:
    """Write a layout with the indices of its numbers, from `at` on."""
    lines = ["| index | name | highest | meaning |", "|---|---|---|---|"]
    for feature in layout:
        index = str(at) if feature.size == 1 else f"{at}–{at + feature.size - 1}"
        lines.append(f"| {index} | `{feature.name}` | {feature.high} | {feature.about.replace('|', '/')} |")
        at += feature.size
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
