"""Colour for the terminal: a block of text in ink on paper, or just the text where there is no colour."""

from typing import Final

RESET: Final = "\x1b[0m"

# The seven hues, light and shade as (ink, paper) of the 256 colours that every terminal has.
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
    """Write text on coloured ground; without colour, between brackets of the same width."""
    if not colour:
        return f"[{text}]"
    ink, paper = colours
    return f"\x1b[1;38;5;{ink};48;5;{paper}m {text} {RESET}"


def strong(text: str, colour: bool) -> str:
    """Write text in bold."""
    return f"\x1b[1m{text}{RESET}" if colour else text


def faint(text: str, colour: bool) -> str:
    """Write text that matters less."""
    return f"\x1b[2m{text}{RESET}" if colour else text
