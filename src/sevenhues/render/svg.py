"""A writer of SVG: elements, escaped text, and text that fits its place without knowing the font."""

import re
import unicodedata
from typing import Final

SERIF: Final = "serif"
SANS: Final = "sans-serif"
ELLIPSIS: Final = "…"

# What XML cannot contain, and characters that change the direction of the text after them.
_UNSAFE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")

_SPECIAL: Final = re.compile(r"[^ !#-%'-;=?-~]")  # ASCII characters that must be looked at

# Widths of letters in parts of the font size: estimates that suit common fonts.
_NARROW: Final = frozenset("iljtfrI.,:;'!|()[] ")
_WIDE: Final = frozenset("mwMWQO@%—…")
NARROW_WIDTH: Final = 0.33
WIDE_WIDTH: Final = 0.88
CAPITAL_WIDTH: Final = 0.67
LETTER_WIDTH: Final = 0.56


def number(value: float) -> str:
    """Write a number with at most one decimal, so that the same drawing has the same bytes everywhere."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def escape(text: str) -> str:
    """Escape text for elements and attributes; characters that XML cannot contain are replaced."""
    if text.isascii() and not _SPECIAL.search(text):
        return text
    safe = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text in pixels."""
    width = 0.0
    for letter in text:
        if letter in _NARROW:
            width += NARROW_WIDTH
        elif letter in _WIDE:
            width += WIDE_WIDTH
        elif letter.isascii():
            width += CAPITAL_WIDTH if letter.isupper() else LETTER_WIDTH
        elif unicodedata.east_asian_width(letter) in ("W", "F"):
            width += 1.0
        elif not unicodedata.combining(letter):
            width += CAPITAL_WIDTH
    return width * size


def fitted(text: str, size: float, width: float) -> str:
    """Return a text, shortened with an ellipsis if it is wider than `width` pixels."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + ELLIPSIS, size) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def wrapped(text: str, size: float, width: float, max_lines: int) -> list[str]:
    """Break a text into lines that are at most `width` pixels wide; what does not fit ends with an ellipsis."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < max_lines:
        line = words.pop(0)
        while words and text_width(f"{line} {words[0]}", size) <= width:
            line = f"{line} {words.pop(0)}"
        if words and len(lines) == max_lines - 1:
            line = f"{line} {' '.join(words)}"
        lines.append(fitted(line, size, width))
    return lines


class Svg:
    """An SVG drawing, built from the back to the front."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width = width
        self.height = height
        self.title = title
        self._parts: list[str] = []

    def add(self, tag: str, **attributes: str | float | None) -> None:
        """Add an element without content. An underscore in an attribute's name stands for a hyphen."""
        self._parts.append(f"<{tag}{_attributes(attributes)}/>")

    def begin(self, tag: str, **attributes: str | float | None) -> None:
        """Begin an element; what is added until `end` is inside it."""
        self._parts.append(f"<{tag}{_attributes(attributes)}>")

    def end(self, tag: str) -> None:
        """End an element."""
        self._parts.append(f"</{tag}>")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: str,
        family: str = SERIF,
        weight: int = 700,
        anchor: str | None = None,
    ) -> None:
        """Add a line of text that stands on the line at `y`; `anchor` is "middle", "end" or None for the start."""
        attributes: dict[str, str | float | None] = {
            "x": x,
            "y": y,
            "font-family": family,
            "font-size": size,
            "font-weight": weight if weight != 400 else None,
            "text-anchor": anchor,
            "fill": fill,
        }
        self._parts.append(f"<text{_attributes(attributes)}>{escape(text)}</text>")

    def glyph(self, path: str, x: float, y: float, size: float, fill: str) -> None:
        """Add a path that is drawn on 24 by 24, with its middle at x and y."""
        half = size / 2
        transform = f"translate({number(x - half)} {number(y - half)}) scale({size / 24:.4f})"
        self.add("path", d=path, transform=transform, fill=fill)

    def document(self) -> str:
        """Return the complete document. It refers to nothing outside itself."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        title = escape(self.title)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{title}</title>'
        return "".join([head, *self._parts, "</svg>\n"])


def _attributes(attributes: dict[str, str | float | None]) -> str:
    written = []
    for name, value in attributes.items():
        if value is not None:
            text = escape(value) if isinstance(value, str) else number(value)
            written.append(f' {name.replace("_", "-")}="{text}"')
    return "".join(written)
