"""Holidays in the browser: they are chosen in the settings, and shown to the others at the table."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.user import User

NewUser = Callable[..., User]


def test_holidays_stop_the_clock_and_are_shown_to_the_opponent(new_user: NewUser) -> None:
    ada, ben = new_user(), new_user()
    ada.rename("Ada")
    clock = {"kind": "move", "seconds": 86_400}
    path = ada.create_table("rainbow", {"kind": "me"}, {"kind": "open"}, clock=clock)
    ben.rename("Ben")
    ben.page.request.post(f"{ben.url}/api{path.replace('/t/', '/tables/')}/join", data={})
    for user in (ada, ben):
        user.open(path)
    for user in (ada, ben):
        user.wait_for_ply(0)
    mover, other = (ada, ben) if ada.updates[-1]["turn"] == [0] else (ben, ada)
    plate = (
        other.page.get_by_role("list", name="Players")
        .get_by_role("listitem")
        .filter(has_text="Ada" if mover is ada else "Ben")
    )
    expect(plate).not_to_contain_text("on holiday")

    page = mover.open()
    page.get_by_role("button", name="Profile and settings").click()
    page.get_by_label("How long?").select_option("3 days")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_text("You’re on holiday until")).to_be_visible()
    expect(page.get_by_text("27 days left this year.")).to_be_visible()
    expect(plate).to_contain_text("on holiday until")
    other.wait_until(lambda: other.updates[-1]["clock"]["paused_until"] is not None)
    left = plate.get_by_role("timer").inner_text()
    other.page.clock.install()
    other.page.clock.fast_forward(3_600_000)
    expect(plate.get_by_role("timer")).to_have_text(left)

    page.get_by_role("button", name="I’m back").click()
    expect(page.get_by_text("29 days left this year.")).to_be_visible()
    expect(plate).not_to_contain_text("on holiday")
    other.wait_until(lambda: other.updates[-1]["clock"]["paused_until"] is None)
