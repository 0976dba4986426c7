"""Checks of a page's layout at one window size: overlaps, cut-off texts and controls, and actions out of view.

An item is whatever a user reads or presses: a control, an image with a name, or an element with text of its own. Text
inside a control belongs to it. Two items that overlap are a fault, unless

- one contains the other;
- one is a text and the other a control without ground and edge, of which only the empty room around its content reaches
  the text;
- both are in one element with `data-stacked`, such as a fan of cards: there each control must still have a part that
  can be pressed;
- one is in a layer above the other (a sheet, or a bar that sticks to the window) that hides what is under it.

Items of a header stay inside it. An element with `data-drops` leaves out whole items that do not fit.
"""

from pathlib import Path

from playwright.sync_api import Page

LAYOUT_SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")

# The controls at a board that act now: its cards, tiles and buttons that are enabled, and those of its prompt. A link
# to a rule may scroll with the text around it.
CONTROLS = "button:not(.rule), a[href], summary, [role=button], [role=gridcell][tabindex]"
ACTIONS = f":is(.board, .stage .prompt) :is({CONTROLS})"


def layout_faults(page: Page, selector: str | None = None) -> list[str]:
    """List the faults of a page's layout; what the selector matches must be in view and not covered."""
    faults: list[str] = page.evaluate(LAYOUT_SCRIPT, selector)
    return faults
