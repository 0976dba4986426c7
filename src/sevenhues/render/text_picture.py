"""A picture of a drawing as text, for games without a picture of their own."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from sevenhues.render.svg import Svg

WIDTH: Final = 1200  # the size of a link preview
HEIGHT: Final = 630
MARGIN: Final = 40
COLUMN: Final = 0.61  # of the font size, in a monospaced font
LINE: Final = 1.25
MAX_SIZE: Final = 40
MAX_COLUMNS: Final = 120
GROUND: Final = "#F4ECDB"
INK: Final = "#2A2230"


def text_picture(text: str, names: Sequence[str]) -> str:
    """Draw lines of text as SVG, as large as they fit, under the names of the players."""
    lines = [", ".join([f"seat {seat}: {name}" for seat, name in enumerate(names)]), ""] if names else []
    for line in text.split("\n"):
        long = len(line) > MAX_COLUMNS
        lines += wrap(line, MAX_COLUMNS, subsequent_indent="    ", drop_whitespace=False) if long else [line]
    columns = max([len(line) for line in lines])
    size = min(MAX_SIZE, (WIDTH - 2 * MARGIN) / (COLUMN * max(columns, 1)), (HEIGHT - 2 * MARGIN) / (LINE * len(lines)))
    svg = Svg(WIDTH, HEIGHT, lines[0])
    svg.add("rect", width=WIDTH, height=HEIGHT, fill=GROUND)
    for i, line in enumerate(lines):
        if line.strip():
            # A renderer joins ordinary spaces.
            kept = line.replace(" ", "\N{NO-BREAK SPACE}")
            svg.text(MARGIN, MARGIN + size * (LINE * i + 1), kept, size, INK, "monospace", 400)
    return svg.document()
