"""How a view is shown: as text for terminals, as a picture, and the last move in a sentence."""

import json
from collections.abc import Sequence
from typing import Any

from mypy_extensions import mypyc_attr

from sevenhues.core.native_classes import NativeBase
from sevenhues.render.text_picture import text_picture


@mypyc_attr(allow_interpreted_subclasses=True)
class Renderer(NativeBase):
    """Renders views of a game. The defaults suit any game; a game overrides them with better ones."""

    def draw(self, view: Any, colour: bool) -> str:
        """Draw a view for a terminal: letters always, ANSI colours if `colour`."""
        return "\n".join([f"{name}: {json.dumps(value)}" for name, value in view.items()])

    def describe_last_move(self, view: Any) -> str:
        """Describe in a sentence what the last move showed this viewer; empty before the first move."""
        return ""

    def picture(self, view: Any, names: Sequence[str]) -> str:
        """Draw a view as an SVG document of 1200 by 630, the size of a link preview.

        `names` are those of the players, by seat; a seat without a name, or with an empty one, is shown by its number.
        The same view and names give the same bytes. By default the picture shows the drawing as text.
        """
        return text_picture(self.draw(view, False), names)

    def render(self, view: Any, legal: list[str], canvas: Any) -> None:
        """Render a view on a `render.canvas.Canvas`: coloured text, and the areas that legal moves are part of.

        By default this is the drawing without such areas: moves are then chosen from a list.
        """
        canvas.write_ansi(self.draw(view, canvas.colour))
