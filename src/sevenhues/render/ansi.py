"""ANSI escape codes for coloured, bold and dim text, and the removal of control characters."""

from typing import Final

RESET: Final = "\x1b[0m"

# Colours are pairs (foreground, background) of the 256-colour palette.
RED: Final = (231, 160)
ORANGE: Final = (16, 208)
YELLOW: Final = (16, 226)
GREEN: Final = (231, 28)
BLUE: Final = (16, 39)
INDIGO: Final = (231, 19)
VIOLET: Final = (231, 128)
LIGHT: Final = (16, 231)
SHADE: Final = (250, 16)
HIDDEN: Final = (252, 240)

HUES: Final = (RED, ORANGE, YELLOW, GREEN, BLUE, INDIGO, VIOLET)


def block(text: str, colours: tuple[int, int], colour: bool) -> str:
    """Return text on a coloured background or, without colour, in brackets of the same width."""
    if not colour:
        return f"[{text}]"
    foreground, background = colours
    return f"\x1b[1;38;5;{foreground};48;5;{background}m {text} {RESET}"


def bold(text: str, colour: bool) -> str:
    """Return text in bold."""
    return f"\x1b[1m{text}{RESET}" if colour else text


def dim(text: str, colour: bool) -> str:
    """Return text in a dim colour."""
    return f"\x1b[2m{text}{RESET}" if colour else text


def printable(text: str) -> str:
    """Replace control characters, so that untrusted text is safe to print."""
    return "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])
