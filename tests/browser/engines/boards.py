"""Playing at the boards in any engine, by what the page offers: with the mouse, or with keys alone."""

import time
from collections.abc import Sequence
from typing import Any

from sevenhues.core.game import Game
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.engines.page import PATIENCE_SECONDS, EnginePage, Point
from tests.browser.flip_and_slide_board import READY as FLIP_AND_SLIDE_READY
from tests.browser.prepared_tables import PreparedTables, Seat, Start
from tests.browser.test_nimble import DECIDE, KEYS
from tests.browser.test_rainbow_road import OFFERS as ROAD_OFFERS

OVER = "document.querySelector('#result-title')"
STILL = "document.getAnimations().every((one) => one.playState !== 'running')"
PLY = "Number(document.querySelector('.board')?.dataset.ply ?? -1)"
ENABLED = "button:not([aria-disabled='true'])"

# What Rainbow's board lets its user do now, once nothing moves and no round that ended waits for them.
RAINBOW_OFFERS = f"""() => {{
    if ({OVER}) return "over";
    document.querySelector(".board .on")?.click();
    if (!({STILL}) || document.querySelector(".board .on")) return "";
    if (document.querySelector(".mine {ENABLED}")) return "card";
    if (document.querySelector(".actions {ENABLED}")) return "end";
    return document.querySelector(".row .piece {ENABLED}") ? "turn" : "";
}}"""

RAINBOW_MOVED = f"""(ply) => {{
    document.querySelector(".board .on")?.click();
    return {OVER} !== null || {PLY} > ply;
}}"""


def seat(
    tables: PreparedTables, page: EnginePage, game: Game[Any], start: Start, *, level: str = "random", began: int = 0
) -> None:
    """Create a table for the page's user and a bot, or a user who never acts if there is no level, and open it."""
    user_id = new_user_id()
    opponent = Seat("Bot", level=level) if level else Seat("Mira", new_user_id())
    table = tables.create(game, start, [Seat("Ada", user_id), opponent], began=began)
    page.sign_in(tables.cookie(user_id))
    page.open(f"/t/{table}")


def wait_for_ply(page: EnginePage, ply: int) -> None:
    """Wait until the board shows this position or a later one, or the game is over."""
    page.wait_for(f"(ply) => {OVER} !== null || ({PLY} >= ply && {STILL})", ply)


def shown_ply(page: EnginePage) -> int:
    ply: int = page.evaluate(f"() => {PLY}")
    return ply


# -- Rainbow


def play_rainbow(page: EnginePage, *, keys: bool = False, moves: int = 1000) -> None:
    """Play the first move that is offered, until the result is shown or so many moves are made."""
    for _ in range(moves):
        offer = page.wait_for(RAINBOW_OFFERS)
        if offer == "over":
            return
        ply = shown_ply(page)
        _rainbow_move(page, offer, keys)
        page.wait_for(RAINBOW_MOVED, ply)


def _rainbow_move(page: EnginePage, offer: str, keys: bool) -> None:
    if offer == "card" and keys:
        number = str(page.attribute(f".mine {ENABLED}", "aria-label")).split()[2].strip(",")
        page.press(number)
        page.wait_for_count(".mine button[aria-pressed=true]", 1)
        page.press("s")
    elif offer == "card":
        page.click(f".mine {ENABLED}")
        page.click(f".actions {ENABLED}", "Play")
    elif offer == "end" and keys:
        page.press("e")
    elif offer == "end":
        page.click(f".actions {ENABLED}", "End turn")
    else:
        page.click(f".row .piece {ENABLED}")


# -- Rainbow Road


def play_rainbow_road(page: EnginePage, *, keys: bool = False) -> None:
    """Play a card to a spot, walk and stop as offered, until the result is shown."""
    while True:
        offer = page.wait_for(f"() => {OVER} ? 'over' : {STILL} && (({ROAD_OFFERS})().replace('nothing', ''))")
        if offer == "over":
            return
        ply = shown_ply(page)
        if offer == "stop":
            if keys:
                page.press("x")
            else:  # a forced stop may take the button away before a pointer reaches it
                page.evaluate("() => document.querySelector('.actions button:not(:disabled)')?.click()")
        elif keys:
            _choose_spot_by_keys(page, offer)
        elif offer == "card":
            page.click(".hand button[aria-disabled=false]")
            page.click("[data-spot].lit")
        else:
            page.click(".actions button:not(:disabled)")
        page.wait_for(f"(ply) => {OVER} !== null || {PLY} > ply", ply)


def _choose_spot_by_keys(page: EnginePage, offer: str) -> None:
    if offer == "card":
        card = page.attribute(".hand button[aria-disabled=false] [data-at]", "data-at")
        page.press(str(card).removeprefix("hand:"))
    else:
        page.evaluate("() => document.activeElement.blur()")
    page.wait_for("() => document.querySelector('[data-spot].lit') !== null")
    page.press("ArrowRight")
    page.wait_for_count("[data-spot].lit:focus", 1)
    page.press("Enter")


# -- Flip & Slide


def play_flip_and_slide(page: EnginePage, moves: Sequence[str], *, keys: bool = False) -> None:
    """Make these moves of the user, which follow each other: flips (F) and slides (S)."""
    for text in moves:
        ply = shown_ply(page)
        cells = text[1:].split(">")
        page.wait_for(f"(cell) => ({FLIP_AND_SLIDE_READY})([null, cell])", cells[0])
        if keys:
            page.evaluate("(cell) => document.querySelector(`.piece[data-cell='${cell}']`).focus()", cells[0])
            page.press("f")
        else:
            page.click(f".piece[data-cell='{cells[0]}']")
            page.click(f".{'piece' if text[0] == 'F' else 'spot'}[data-cell='{cells[-1]}']")
        wait_for_ply(page, ply + 1)


# -- Nimble

DECIDED = f"""async () => {{
    const decided = await ({DECIDE})([0, false, null]);
    return decided.move && decided;
}}"""


def play_nimble(page: EnginePage, *, keys: bool = False) -> None:
    """Race to the end."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (decided := page.wait_for(DECIDED))["move"] != "over":
        assert time.monotonic() < deadline, "the race does not end"
        if keys:
            page.press(KEYS[1][0][decided["move"]])
        else:
            page.click_at(Point(decided["x"], decided["y"]))
