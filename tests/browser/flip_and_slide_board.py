"""A user at Flip & Slide's board: plays the text of a move by mouse or touch, and waits until the page shows it."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page, expect

from sevenhues.core import registry
from sevenhues.core.game import resolve_options
from sevenhues.core.rng import Dealer
from tests.browser.prepared_tables import Start
from tests.browser.user import User

GAME = registry.load("flip-and-slide")
SEATS_OF_TILES = {14: 1, 21: 2, 28: 4}
# The page shows a position, the cells that a move starts from and leads to, and nothing moves.
READY = """([ply, cell]) => {
    const board = document.querySelector(".board");
    return (ply === null || Number(board?.dataset.ply ?? -1) >= ply)
        && (!cell || document.querySelector(`.piece.able[data-cell='${cell}'], .spot[data-cell='${cell}']`))
        && document.getAnimations().every((animation) => animation.playState !== "running");
}"""


def start_of(colours: str, up: Sequence[str] = (), moves: Sequence[tuple[int, str]] = ()) -> Start:
    """Place these colours in the usual spiral, and begin with some moves."""
    dealt = GAME.deal(SEATS_OF_TILES[len(colours)], resolve_options(GAME, {}), Dealer(b"any"), None)
    cells = [cell for cell, _ in dealt["tiles"]]
    setup = {"tiles": [list(pair) for pair in zip(cells, colours, strict=True)], "up": list(up)}
    return Start(setup, moves)


def play(page: Page, text: str, *, touch: bool = False) -> None:
    """Play a move by mouse or touch; touch asks for a second tap before what cannot be undone."""
    cells = text[1:].split(">")
    spot = page.locator(f'.spot[data-cell="{cells[-1]}"]')
    piece = page.locator(f'.piece[data-cell="{cells[0]}"]')
    targets = {"@": [spot, spot], "J": [spot, spot], "F": [piece, piece], "S": [piece, spot]}[text[0]]
    if not touch and text[0] in "@J":
        targets.pop()
    page.wait_for_function(READY, arg=[None, cells[0] if text[0] in "FS" else cells[-1]])
    for target in targets:
        if touch:
            target.tap()
        else:
            target.click()


def wait_for_ply(user: User, ply: int) -> dict[str, Any]:
    """Wait until a position has come and the page shows it; return the view."""
    user.wait_for_ply(ply)
    user.page.wait_for_function(READY, arg=[ply, ""])
    view: dict[str, Any] = user.updates[-1]["views"][0]["view"]
    last = view["last"]
    if last is not None:
        moved = f'.piece[data-tile="{last["tile"]}"][data-cell="{last["way"][-1]}"]'
        expect(user.page.locator(moved)).to_have_count(1)
    return view
