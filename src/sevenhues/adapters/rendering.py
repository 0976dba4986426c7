"""Render modes of the adapters: a view as text, as SVG, or in pixels."""

from collections.abc import Sequence
from typing import Any, Final

from sevenhues import pictures
from sevenhues.core.game import Game
from sevenhues.core.position import Position

ANSI: Final = "ansi"
SVG: Final = "svg"
RGB_ARRAY: Final = "rgb_array"
MODES: Final = (ANSI, SVG, RGB_ARRAY)


def check_render_mode(mode: str | None, modes: Sequence[str] = MODES) -> str | None:
    """Return a render mode; raise ValueError if it is unknown, and PicturesMissing if it needs what is missing."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode must be None, {', '.join(map(repr, modes[:-1]))} or {modes[-1]!r}, not {mode!r}")
    if mode == RGB_ARRAY:
        pictures.require_rasterizer()
    return mode


def draw(game: Game[Any], position: Position, viewer: int, mode: str | None, names: Sequence[str] = ()) -> Any:
    """Draw a view: SVG as text, pixels as an array (height, width, 3), and by default text for a terminal."""
    view, renderer = game.view(position, viewer), game.renderer()
    if mode == SVG:
        return renderer.picture(view, names)
    if mode == RGB_ARRAY:
        return pictures.rgb_array(renderer.picture(view, names))
    return renderer.draw(view, False)
