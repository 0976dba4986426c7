"""Preset phrases in the browser: said from a menu, shown at the player's plate, and not shown of a muted player."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.browser.page_checks import check_axe, check_phone
from tests.browser.user import User

NewUser = Callable[..., User]
SHOWN_MS = 5000
# The boxes of what a bubble must not cover, and of the bubble itself.
COVERED = """(bubble) => {
    const box = bubble.getBoundingClientRect();
    return [...document.querySelectorAll("button, a, [data-keep-clear]")].filter((element) => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        return width && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    }).map((element) => element.outerHTML.slice(0, 100));
}"""


def said(user: User) -> Locator:
    return user.page.get_by_role("log", name="What players say").locator("p")


def say(user: User, phrase: str) -> None:
    user.page.get_by_role("button", name="Say something").click()
    user.page.get_by_role("dialog").get_by_role("button", name=phrase).click()


def start(user: User, path: str) -> None:
    """Open a table whose phrases stay until the test lets time pass."""
    user.page.clock.install()
    user.open(path)


def test_players_say_phrases_and_mute_each_other(new_user: NewUser) -> None:
    ada, ben = new_user(), new_user(phone=True)
    path = ada.create_table("rainbow", {"kind": "me", "name": "Ada"}, {"kind": "open"})
    start(ada, path)
    start(ben, path)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join").click()
    for one in (ada, ben):
        expect(one.page.locator(".board")).to_be_visible()
    button = ben.page.get_by_role("button", name="Say something")
    button.focus()
    ben.page.keyboard.press("Enter")
    check_phone(ben.page, "the menu")
    check_axe(ben.page, "the menu")
    ben.page.keyboard.press("Escape")
    for one in (ada, ben):
        one.pause_clock()

    before = ben.page.locator(".board").bounding_box()
    say(ada, "Well played!")
    expect(said(ben)).to_have_text("Ada: Well played!")
    expect(said(ada)).to_have_text("You: Well played!")
    assert said(ben).evaluate(COVERED) == []
    assert ben.page.locator(".board").bounding_box() == before, "nothing moves"
    ben.page.clock.run_for(SHOWN_MS)
    expect(said(ben)).to_have_count(0)

    button.focus()
    ben.page.keyboard.press("Enter")
    ben.page.get_by_role("button", name="Smile").press("Enter")
    expect(said(ada)).to_have_text(["You: Well played!", "Ben: Smile"])
    expect(button).to_be_focused()

    ben.page.get_by_role("button", name="This game").click()
    ben.page.get_by_role("group", name="Mute players").get_by_label("Ada").check()
    ben.page.get_by_role("button", name="Close").click()
    ada.page.clock.run_for(SHOWN_MS)
    ben.page.clock.run_for(SHOWN_MS)
    say(ada, "Applause")
    expect(said(ada)).to_have_text("You: Applause")
    say(ben, "Thanks!")  # after what Ada said
    expect(said(ben)).to_have_text("You: Thanks!")
    expect(said(ada)).to_have_text(["You: Applause", "Ben: Thanks!"])


def test_table_against_a_bot_offers_no_phrases(new_user: NewUser) -> None:
    ada = new_user()
    ada.open(ada.create_table("rainbow", {"kind": "me"}, {"kind": "bot", "level": "random"}))
    expect(ada.page.locator(".board")).to_be_visible()
    expect(ada.page.get_by_role("button", name="Say something")).to_have_count(0)
