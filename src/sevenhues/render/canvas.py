"""A table as a terminal shows it: coloured text in its place, and which legal moves each place of it is part of."""

import re
from typing import Final, NamedTuple

NONE: Final = (-1, -1)  # the terminal's own ink and paper
PLAIN: Final = 0
STRONG: Final = 1
FAINT: Final = 2
YOU: Final = "you"  # what one is called who gave no name

_ESCAPE: Final = re.compile("\x1b\\[([0-9;]*)m")


class Run(NamedTuple):
    """Text in one colouring, from a column of a line; what is written later lies on top."""

    x: int
    y: int
    text: str
    colours: tuple[int, int]  # ink and paper, of the 256 colours; -1 is the terminal's own
    weight: int


class HitArea(NamedTuple):
    """A part of the table one can point at: its name, where it is, and the legal moves it is part of.

    Pointing at one place after another narrows the moves down; a place that leaves one move makes it.
    """

    name: str
    x: int
    y: int
    width: int
    height: int
    moves: list[str]


class Canvas:
    """What a game paints a view on. There is room for `width` by `height`; more than that has to be scrolled."""

    def __init__(self, width: int, height: int, colour: bool, names: list[str]) -> None:
        self.width = width
        self.height = height
        self.colour = colour
        self.names = names  # by seat
        self.runs: list[Run] = []
        self.places: list[HitArea] = []
        self.sends: dict[str, str] = {}  # by move: what one sends who saw this, as `guarded` writes it

    def size(self) -> tuple[int, int]:
        """Return how wide and high all that was painted is."""
        wide = [run.x + len(run.text) for run in self.runs] + [place.x + place.width for place in self.places]
        high = [run.y + 1 for run in self.runs] + [place.y + place.height for place in self.places]
        return max(wide, default=0), max(high, default=0)

    def name(self, seat: int, viewer: int) -> str:
        """Name a seat: who sits there, and whether it is the viewer."""
        return known(self.names[seat], seat == viewer)

    def write(self, x: int, y: int, text: str, colours: tuple[int, int] = NONE, weight: int = PLAIN) -> int:
        """Write text; returns the column after it."""
        self.runs.append(Run(x, y, text, colours if self.colour else NONE, weight))
        return x + len(text)

    def say(self, y: int, text: str, weight: int = PLAIN) -> int:
        """Write a sentence in as many lines as it takes; returns the line after it."""
        line = ""
        for word in text.split():
            if line and len(line) + 1 + len(word) > self.width - 1:
                self.write(1, y, line, NONE, weight)
                y += 1
                line = word
            else:
                line = f"{line} {word}" if line else word
        self.write(1, y, line, NONE, weight)
        return y + 1

    def card(self, x: int, y: int, width: int, height: int, text: str, colours: tuple[int, int]) -> None:
        """Lay a block of colour with text in its middle; without colour, a frame of the same size."""
        inner = width - 2
        for line in range(height):
            middle = line == (height - 1) // 2
            shown = f"{text if middle else '':^{width}}"
            if not self.colour and height == 1:
                shown = f"[{text:^{inner}}]"
            elif not self.colour and line == 0:
                shown = f"┌{text if middle else '':─^{inner}}┐"
            elif not self.colour and line == height - 1:
                shown = f"└{'─' * inner}┘"
            elif not self.colour:
                shown = f"│{text if middle else '':^{inner}}│"
            self.write(x, y + line, shown, colours, STRONG)

    def button(self, x: int, y: int, text: str, moves: list[str]) -> int:
        """Write a word that stands for moves, faint where there is none; returns the column after it."""
        shown = f" {text} "
        self.write(x, y, shown, NONE, PLAIN if moves else FAINT)
        self.place(text, x, y, len(shown), 1, moves)
        return x + len(shown)

    def place(self, name: str, x: int, y: int, width: int, height: int, moves: list[str]) -> None:
        """Let a part of the table be pointed at, where it is part of any move."""
        if moves:
            self.places.append(HitArea(name, x, y, width, height, moves))

    def paste(self, text: str) -> None:
        """Paint a text as `Game.draw` returns it, with the colours of `core.ink`."""
        for y, line in enumerate(text.split("\n")):
            x, at = 0, 0
            colours, weight = NONE, PLAIN
            for found in _ESCAPE.finditer(line):
                x = self._pasted(x, y, line[at : found.start()], colours, weight)
                at = found.end()
                codes = [int(code or 0) for code in found[1].split(";")]
                colours, weight = _reading(codes)
            self._pasted(x, y, line[at:], colours, weight)

    def _pasted(self, x: int, y: int, text: str, colours: tuple[int, int], weight: int) -> int:
        return self.write(x, y, text, colours, weight) if text else x


def _reading(codes: list[int]) -> tuple[tuple[int, int], int]:
    """Read what one of ink's escapes says: all of it stands in one, and nothing is left over from before."""
    ink, paper, weight = -1, -1, PLAIN
    i = 0
    while i < len(codes):
        if codes[i] in (38, 48) and i + 2 < len(codes):
            if codes[i] == 38:
                ink = codes[i + 2]
            else:
                paper = codes[i + 2]
            i += 2
        elif codes[i] in (STRONG, FAINT):
            weight = codes[i]
        i += 1
    return (ink, paper), weight


def known(name: str, mine: bool) -> str:
    """Write a name so that its owner knows it."""
    return f"{name} (you)" if mine and name != YOU else name


def among(legal: list[str], *wanted: str) -> list[str]:
    """Keep of some moves those that are legal."""
    return [text for text in wanted if text in legal]


def starting(legal: list[str], start: str) -> list[str]:
    """List the legal moves that start like this."""
    return [text for text in legal if text.startswith(start)]
