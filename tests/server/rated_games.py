"""Identities of rated games, and everything that a store holds of their ratings."""

from typing import Any

from sevenhues.server.store import ratings
from sevenhues.server.store.steps import Steps

ADA, BEN, ZOE = "a" * 32, "b" * 32, "c" * 32
Rows = dict[str, list[tuple[Any, ...]]]


def all_rating_rows() -> Steps[Rows]:
    rows = {}
    for name in ratings.TABLES:
        rows[name] = sorted((yield f"SELECT * FROM {name}", ()), key=str)
    return rows
