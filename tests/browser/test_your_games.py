"""The games that wait for the user: first on the home page, in the tab's title, on the app's badge, and at a table."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.browser.user import User

NewUser = Callable[..., User]
ME, OPEN = {"kind": "me"}, {"kind": "open"}
# The number that an installed app would show on its icon.
KEEP_BADGE = """
navigator.setAppBadge = async (count) => { window.badge = count };
navigator.clearAppBadge = async () => { window.badge = 0 };
"""


def test_games_that_wait_come_first_and_are_counted(new_user: NewUser) -> None:
    ada, ben = new_user(), new_user()
    ada.context.add_init_script(KEEP_BADGE)
    first, second = ada.create_table("rainbow", ME, ME), ada.create_table("rainbow", ME, OPEN)
    ada.open(first)
    ada.wait_for_ply(0)
    page = ada.open()
    expect(page).to_have_title("(1) Seven Hues")
    expect(page.get_by_text("Your turn in one game")).to_be_visible()
    tickets = page.locator(".tables a")
    expect(tickets.nth(0)).to_have_attribute("href", first)
    expect(tickets.nth(1)).to_have_attribute("href", second)
    assert page.evaluate("window.badge") == 1
    page.goto(f"{ada.url}/rules")
    expect(page).to_have_title("(1) Rules · Seven Hues")
    ben.open()
    expect(ben.page).to_have_title("Seven Hues")


def test_list_is_read_again_while_the_page_is_open(new_user: NewUser) -> None:
    ada = new_user()
    page = ada.page
    page.clock.install()
    with page.expect_response("**which=mine*"):
        ada.open()
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request) if "which=mine" in request.url else None)
    path = ada.create_table("rainbow", ME, ME)
    expect(page).to_have_title("Seven Hues")
    page.clock.fast_forward(16_000)
    expect(page.locator(f".tables a[href='{path}']")).to_be_visible()
    assert len(asked) == 1
    with page.expect_response("**which=mine*"):
        ada.open("/rules")
    asked.clear()
    page.clock.fast_forward(46_000)
    ada.ready()
    assert asked == []
    page.clock.fast_forward(16_000)
    ada.wait_until(lambda: len(asked) == 1)


def test_after_a_move_one_press_leads_to_the_next_game(new_user: NewUser) -> None:
    users = new_user(), new_user()
    puzzles = [user.create_table("flip-and-slide", ME) for user in users]
    for user, puzzle in zip(users, puzzles, strict=True):
        user.open(puzzle)
        user.wait_for_ply(0)
    path = users[0].create_table("rainbow", ME, OPEN)
    users[1].page.request.post(f"{users[1].url}/api{path.replace('/t/', '/tables/')}/join", data={})
    for user in users:
        user.open(path)
    for user in users:
        user.wait_for_ply(0)
    seat = users[0].updates[-1]["turn"][0]
    mover = users[seat]
    link = mover.page.get_by_role("link", name="Next game")
    expect(mover.moves.first).to_be_visible()
    expect(link).to_have_count(0)
    while mover.updates[-1]["turn"] == [seat]:
        ply = mover.updates[-1]["ply"]
        mover.move()
        mover.wait_for_ply(ply + 1)
    expect(link).to_have_attribute("href", puzzles[seat])
    link.click()
    mover.page.wait_for_url(f"**{puzzles[seat]}")
