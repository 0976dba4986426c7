"""The canvas of the terminal interface: coloured text at positions, and areas that select legal moves."""

import re
from typing import Final, NamedTuple

DEFAULT_COLOURS: Final = (-1, -1)  # the terminal's own foreground and background
NORMAL: Final = 0
BOLD: Final = 1
DIM: Final = 2
YOU: Final = "you"  # the name of a player without a name

_ESCAPE: Final = re.compile("\x1b\\[([0-9;]*)m")


class TextRun(NamedTuple):
    """Text of one colour and weight that starts at a column of a line. Later runs cover earlier ones."""

    x: int
    y: int
    text: str
    colours: tuple[int, int]  # foreground and background of the 256-colour palette; -1 is the terminal's own
    weight: int


class HitArea(NamedTuple):
    """A selectable area of the canvas: its name, its rectangle and the legal moves it is part of.

    Each selected area narrows the moves down. An area that leaves one move makes it.
    """

    name: str
    x: int
    y: int
    width: int
    height: int
    moves: list[str]


class Canvas:
    """Collects the text and hit areas of a rendered view.

    `width` and `height` are the visible size; a larger drawing is scrolled.
    """

    def __init__(self, width: int, height: int, colour: bool, names: list[str]) -> None:
        self.width = width
        self.height = height
        self.colour = colour
        self.names = names  # by seat
        self.runs: list[TextRun] = []
        self.hit_areas: list[HitArea] = []
        self.conditional_texts: dict[str, str] = {}  # by move: the text to send, as `Game.conditional_text` writes it

    def size(self) -> tuple[int, int]:
        """Return the width and height of everything drawn so far."""
        right = [run.x + len(run.text) for run in self.runs] + [area.x + area.width for area in self.hit_areas]
        bottom = [run.y + 1 for run in self.runs] + [area.y + area.height for area in self.hit_areas]
        return max(right, default=0), max(bottom, default=0)

    def seat_name(self, seat: int, viewer: int) -> str:
        """Return the name of the player at a seat, marked if it is the viewer's own."""
        return name_label(self.names[seat], seat == viewer)

    def write(self, x: int, y: int, text: str, colours: tuple[int, int] = DEFAULT_COLOURS, weight: int = NORMAL) -> int:
        """Write text on one line. Return the column after it."""
        self.runs.append(TextRun(x, y, text, colours if self.colour else DEFAULT_COLOURS, weight))
        return x + len(text)

    def write_paragraph(self, y: int, text: str, weight: int = NORMAL) -> int:
        """Write text wrapped to the width of the canvas. Return the line after it."""
        line = ""
        for word in text.split():
            if line and len(line) + 1 + len(word) > self.width - 1:
                self.write(1, y, line, DEFAULT_COLOURS, weight)
                y += 1
                line = word
            else:
                line = f"{line} {word}" if line else word
        self.write(1, y, line, DEFAULT_COLOURS, weight)
        return y + 1

    def card(self, x: int, y: int, width: int, height: int, text: str, colours: tuple[int, int]) -> None:
        """Draw a coloured rectangle with centred text or, without colour, a frame of the same size."""
        inner_width = width - 2
        for line in range(height):
            middle = line == (height - 1) // 2
            row = f"{text if middle else '':^{width}}"
            if not self.colour and height == 1:
                row = f"[{text:^{inner_width}}]"
            elif not self.colour and line == 0:
                row = f"┌{text if middle else '':─^{inner_width}}┐"
            elif not self.colour and line == height - 1:
                row = f"└{'─' * inner_width}┘"
            elif not self.colour:
                row = f"│{text if middle else '':^{inner_width}}│"
            self.write(x, y + line, row, colours, BOLD)

    def button(self, x: int, y: int, text: str, moves: list[str]) -> int:
        """Write a label that selects moves, dim if there is none. Return the column after it."""
        label = f" {text} "
        self.write(x, y, label, DEFAULT_COLOURS, NORMAL if moves else DIM)
        self.add_hit_area(text, x, y, len(label), 1, moves)
        return x + len(label)

    def add_hit_area(self, name: str, x: int, y: int, width: int, height: int, moves: list[str]) -> None:
        """Make a rectangle selectable if it is part of any move."""
        if moves:
            self.hit_areas.append(HitArea(name, x, y, width, height, moves))

    def write_ansi(self, text: str) -> None:
        """Write a multi-line text with the escape codes of `render.ansi`, as `Renderer.draw` returns it."""
        for y, line in enumerate(text.split("\n")):
            x, start = 0, 0
            colours, weight = DEFAULT_COLOURS, NORMAL
            for escape in _ESCAPE.finditer(line):
                x = self._write_part(x, y, line[start : escape.start()], colours, weight)
                start = escape.end()
                codes = [int(code or 0) for code in escape[1].split(";")]
                colours, weight = _parse_codes(codes)
            self._write_part(x, y, line[start:], colours, weight)

    def _write_part(self, x: int, y: int, text: str, colours: tuple[int, int], weight: int) -> int:
        return self.write(x, y, text, colours, weight) if text else x


def _parse_codes(codes: list[int]) -> tuple[tuple[int, int], int]:
    """Return the colours and weight of an escape sequence. Each sequence of `render.ansi` sets all of them."""
    foreground, background, weight = -1, -1, NORMAL
    i = 0
    while i < len(codes):
        if codes[i] in (38, 48) and i + 2 < len(codes):
            if codes[i] == 38:
                foreground = codes[i + 2]
            else:
                background = codes[i + 2]
            i += 2
        elif codes[i] in (BOLD, DIM):
            weight = codes[i]
        i += 1
    return (foreground, background), weight


def name_label(name: str, own: bool) -> str:
    """Return a player's name, marked with "(you)" if it is the viewer's own."""
    return f"{name} (you)" if own and name != YOU else name


def legal_among(legal: list[str], *moves: str) -> list[str]:
    """Return the given moves that are legal."""
    return [text for text in moves if text in legal]


def legal_starting_with(legal: list[str], prefix: str) -> list[str]:
    """Return the legal moves that start with a prefix."""
    return [text for text in legal if text.startswith(prefix)]
