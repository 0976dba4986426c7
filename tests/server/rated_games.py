"""Users of rated games, and all ratings in a store."""

from typing import Any

from sevenhues.server.query_steps import QuerySteps
from sevenhues.server.ratings import queries

ADA, BEN, ZOE = "a" * 32, "b" * 32, "c" * 32
Rows = dict[str, list[tuple[Any, ...]]]


def all_rating_rows() -> QuerySteps[Rows]:
    rows = {}
    for name in queries.TABLES:
        rows[name] = sorted((yield f"SELECT * FROM {name}", ()), key=str)
    return rows
