"""Nothing shifts when the self-hosted fonts arrive after the first paint."""

from collections.abc import Callable

from playwright.sync_api import Route, expect

from sevenhues import load
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.positions import last_round_of_rainbow
from tests.browser.prepared_tables import PreparedTables, Seat
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
MAX_SHIFT = 0.02
OBSERVE = """
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
            if (!hadRecentInput)
                window.shifts.push({ value, sources: sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) });
    }).observe({ type: "layout-shift", buffered: true });
"""


def check_shift(ada: User, path: str, shown: str) -> None:
    """Open a page, hold its fonts back until it is painted, and measure what shifts from then on, and before."""
    page, held, released = ada.page, list[Route](), False

    def hold(route: Route) -> None:
        if released:
            route.continue_()
        else:
            held.append(route)

    page.route("**/*.woff2", hold)
    page.goto(ada.url + path, wait_until="commit")
    expect(page.locator(shown).first).to_be_visible()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert held, "no font was asked for"
    assert page.evaluate("document.fonts.status") == "loading"
    released = True
    for route in held:
        route.continue_()
    ada.ready()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shifts = page.evaluate("window.shifts")
    page.unroute("**/*.woff2")
    assert sum(shift["value"] for shift in shifts) < MAX_SHIFT, (path, shifts)


def test_nothing_shifts_when_fonts_arrive(new_user: NewUser, server: ServerProcess) -> None:
    ada = new_user(plain=False)
    ada.context.add_init_script(OBSERVE)
    check_shift(ada, "/", "article")
    prepared, seats = PreparedTables(server.data), [Seat("Ada", new_user_id()), Seat("Ines", new_user_id())]
    prepared.sign_in(ada, str(seats[0].user_id))
    table = prepared.create(load("rainbow"), last_round_of_rainbow(), seats)  # nobody moves meanwhile
    check_shift(ada, f"/t/{table}", ".board[data-ply]")
