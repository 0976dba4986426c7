"""The strength figures of the documents: bench/ladder.json, and the tables that are generated from it.

`python bench/ladder_figures.py` writes the tables into the documents (`make tables`).
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sevenhues.arena.report import interval
from sevenhues.core.options import OptionValue

FILE = Path(__file__).with_name("ladder.json")
DOCS = Path(__file__).parents[1] / "docs"
PAGES = (DOCS / "bots.md", DOCS / "training.md")
GAMES = 400  # of a match that names no other number
SEATS = 2
TABLE = re.compile(r"(<!-- ladder: ([a-z-]+) -->\n).*?(<!-- end -->\n)", re.DOTALL)


@dataclass(frozen=True)
class Figure:
    """A match with a stated result. Shares of a win are fractions."""

    match: str  # as the tables name it
    game: str
    bots: list[str]
    budget: str
    seed: str
    won: float
    lost: float
    drawn: int
    games: int = GAMES
    seats: int = SEATS
    options: dict[str, OptionValue] = field(default_factory=dict)
    reactions_of: str | None = None
    stated_at: str | None = None  # the budget of the stated result, if it was another one

    @property
    def share(self) -> float:
        """Return the share of decided games that the first bot won."""
        return self.won / (self.won + self.lost)

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return interval(self.won, round(self.won + self.lost))


def read() -> dict[str, list[Figure]]:
    """Read the figures of each table."""
    contents = json.loads(FILE.read_text(encoding="utf-8"))
    return {table["table"]: _figures(contents["seed"], **table) for table in contents["tables"]}


def unrepeatable() -> list[str]:
    """Return the figures of the documents that cannot be replayed."""
    return [entry["text"] for entry in json.loads(FILE.read_text(encoding="utf-8"))["unrepeatable"]]


def _figures(seed: str, table: str, game: str, budget: str, rows: list[dict[str, Any]]) -> list[Figure]:
    return [Figure(**{"game": game, "budget": budget, "seed": seed} | row) for row in rows]


def restate(results: dict[tuple[str, str], tuple[float, float, int]]) -> None:
    """Replace won, lost and drawn of figures, by table and match."""
    table = ""
    lines = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        named = re.search(r'"table": "([^"]+)"', line)
        table = named[1] if named else table
        match = re.search(r'\{"match": "([^"]+)"', line)
        if match and (table, match[1]) in results:
            won, lost, drawn = results[table, match[1]]
            counts = f'"won": {won:g}, "lost": {lost:g}, "drawn": {drawn}'
            line = re.sub(r'"won": [\d.]+, "lost": [\d.]+, "drawn": \d+(, "stated_at": "[^"]+")?', counts, line)
        lines.append(line)
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def table_of(figures: list[Figure]) -> str:
    """Return the table of a document."""
    alone = figures[0].seats == 1
    head = (
        ("level", "solved", "solved – not solved")
        if alone
        else ("match", "share of the first bot", "won – lost – drawn")
    )
    lines = [f"| {head[0]} | {head[1]} | 95 % interval | {head[2]} |", "|---|---|---|---|"]
    for figure in figures:
        low, high = figure.interval
        counts = f"{figure.won:g} – {figure.lost:g}" + ("" if alone else f" – {figure.drawn}")
        shares = f"{100 * figure.share:.1f} % | {100 * low:.1f} – {100 * high:.1f}"
        at = f", at {figure.stated_at}" if figure.stated_at else ""
        lines.append(f"| {figure.match}{at} | {shares} | {counts} |")
    return "\n".join(lines) + "\n"


def with_tables(text: str, tables: dict[str, list[Figure]]) -> str:
    """Return the text of a document with the tables between its marks replaced."""
    return TABLE.sub(lambda found: f"{found[1]}\n{table_of(tables[found[2]])}\n{found[3]}", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_tables(page.read_text(encoding="utf-8"), read()), encoding="utf-8")
