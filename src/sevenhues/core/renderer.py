"""The text of a view: a drawing for terminals, and the last move in a sentence."""

import json
from typing import Any

from mypy_extensions import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Renderer:
    """Renders views of a game as text. The defaults suit any game; a game overrides them with better ones."""

    def draw(self, view: Any, colour: bool) -> str:
        """Draw a view for a terminal: letters always, ANSI colours if `colour`."""
        return "\n".join([f"{name}: {json.dumps(value)}" for name, value in view.items()])

    def describe_last_move(self, view: Any) -> str:
        """Describe in a sentence what the last move showed this viewer; empty before the first move."""
        return ""

    def render(self, view: Any, legal: list[str], canvas: Any) -> None:
        """Render a view on a `render.canvas.Canvas`: coloured text, and the areas that legal moves are part of.

        By default this is the drawing without such areas: moves are then chosen from a list.
        """
        canvas.write_ansi(self.draw(view, canvas.colour))
