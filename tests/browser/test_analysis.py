"""The story of a game under its replay, in a real browser: told on request, with a way to every turning point."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.finished_games import random_record
from tests.browser.test_accessibility import check_axe, check_phone
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
UPLOAD = """async (text) => {
    await fetch("/api/me");
    const headers = { "content-type": "application/json" };
    return (await (await fetch("/api/records", { method: "POST", headers, body: text })).json()).id;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Stories need not be good here, but soon told."""
    with ServerProcess(tmp_path_factory.mktemp("served"), "--story", "4") as running:
        yield running


def replay(ada: User, name: str, more: str = "") -> str:
    """Upload a game and open its replay."""
    page = ada.open("/")
    expect(page.get_by_role("main")).to_be_visible()
    table: str = page.evaluate(UPLOAD, random_record(name))
    ada.open(f"/t/{table}/replay{more}")
    expect(page.get_by_role("heading", name="The story of the game")).to_be_visible()
    return table


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_story_is_told_and_leads_to_its_turning_points(new_user: NewUser, phone: bool) -> None:
    ada = new_user(plain=False, phone=phone, dark=phone, still=True, bypass_csp=True)
    replay(ada, "rainbow", "?as=0")
    page = ada.page
    page.get_by_role("button", name="Tell the story").click()
    assert page.evaluate("document.activeElement.id") == "story-title"
    expect(page.get_by_role("heading", name="Turning points")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("img", name="Chances. Ada: from")).to_be_visible()
    story = page.get_by_role("region", name="The story of the game")
    turn = story.get_by_role("button", name="Move").filter(has_text="→").first
    number = turn.locator("b").inner_text().removeprefix("Move ").partition(":")[0]
    turn.click()
    expect(page.locator(f".board[data-ply='{number}']")).to_be_visible()
    expect(turn).to_have_attribute("aria-current", "step")
    expect(page.get_by_role("table").filter(has_text="Own choices")).to_contain_text("Bo")
    page.get_by_role("button", name="Odds of what is hidden").click()
    expect(page.get_by_role("table").filter(has_text="Hidden face").get_by_role("row").nth(1)).to_be_visible()
    check_axe(page, "story")
    if phone:
        check_phone(page, "story")


def test_a_story_is_there_for_whoever_comes_next(new_user: NewUser) -> None:
    ada, bo = new_user(plain=False, still=True), new_user(still=True)
    table = replay(ada, "rainbow")
    ada.page.get_by_role("button", name="Tell the story").click()
    expect(ada.page.get_by_role("heading", name="Turning points")).to_be_visible(timeout=120_000)
    bo.open(f"/t/{table}/replay")
    expect(bo.page.get_by_role("heading", name="Turning points")).to_be_visible()
    assert bo.page.get_by_role("button", name="Tell the story").count() == 0


def test_a_race_is_told_in_figures_and_moments(new_user: NewUser) -> None:
    ada = new_user(plain=False, still=True, bypass_csp=True)
    replay(ada, "nimble")
    page = ada.page
    page.get_by_role("button", name="Tell the story").click()
    expect(page.get_by_role("row").filter(has_text="Moves a minute")).to_be_visible(timeout=60_000)
    story = page.get_by_role("region", name="The story of the game")
    moment = story.get_by_role("listitem").get_by_role("button").first
    moment.click()
    expect(moment).to_have_attribute("aria-current", "step")
    check_axe(page, "race")
