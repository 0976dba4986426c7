"""The analysis of a game below its replay: made on request, kept, and linked to the turning points."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.finished_games import upload
from tests.browser.user import SECONDS, User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
ANALYSED = 120 * SECONDS  # at most; a plain package takes its time


def test_analysis_is_made_on_request_kept_and_leads_to_turning_points(new_user: NewUser, server: ServerProcess) -> None:
    ada, bo = new_user(plain=False, still=True), new_user(still=True)
    path = f"/t/{upload(server.url, 'rainbow', most_moves=24)}/replay"
    page = ada.open(f"{path}?as=0")
    page.get_by_role("button", name="Analyse game").click()
    assert page.evaluate("document.activeElement.id") == "analysis-title"
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible(timeout=ANALYSED)
    expect(page.get_by_role("img", name="Chances. Ada: from")).to_be_visible()
    story = page.get_by_role("region", name="Game analysis")
    turn = story.get_by_role("button", name="Move").filter(has_text="→").first
    number = turn.locator("b").inner_text().removeprefix("Move ").partition(":")[0]
    board = page.locator(f".board[data-ply='{number}']")
    for width, height in ((1366, 650), (390, 664)):
        page.set_viewport_size({"width": width, "height": height})
        turn.scroll_into_view_if_needed()
        expect(page.locator(".board")).not_to_be_in_viewport()
        turn.click()
        expect(board).to_be_in_viewport(ratio=0.8)
    expect(turn).to_have_attribute("aria-current", "step")
    expect(page.get_by_role("table").filter(has_text="Own choices")).to_contain_text("Bo")
    page.get_by_role("button", name="Odds of hidden cards").click()
    expect(page.get_by_role("table").filter(has_text="Hidden side").get_by_role("row").nth(1)).to_be_visible()

    bo.open(path)
    expect(bo.page.get_by_role("heading", name="Turning points")).to_be_visible()
    assert bo.page.get_by_role("button", name="Analyse game").count() == 0


def test_analysis_of_a_race_shows_figures_and_moments(new_user: NewUser, server: ServerProcess) -> None:
    ada = new_user(plain=False, still=True)
    page = ada.open(f"/t/{upload(server.url, 'nimble', most_moves=60)}/replay")
    page.get_by_role("button", name="Analyse game").click()
    expect(page.get_by_role("row").filter(has_text="Moves per minute")).to_be_visible(timeout=ANALYSED)
    story = page.get_by_role("region", name="Game analysis")
    moment = story.get_by_role("listitem").get_by_role("button").first
    moment.click()
    expect(moment).to_have_attribute("aria-current", "step")
