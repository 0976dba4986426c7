"""The page of a person's bots: creating one, its token, and revoking it."""

from collections.abc import Callable

import httpx
from playwright.sync_api import expect

from tests.browser.user import PHONE, User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


def test_bot_is_created_and_revoked_by_keyboard_on_a_phone(new_user: NewUser, server: ServerProcess) -> None:
    user = new_user(phone=True)
    page = user.open("/bots")
    page.get_by_label("Name").focus()
    page.keyboard.type("Deep Hue")
    page.keyboard.press("Enter")
    shown = page.locator(".token .text")
    expect(shown).to_be_visible()
    headers = {"authorization": f"Bearer {shown.inner_text()}"}
    assert httpx.get(f"{server.url}/api/me", headers=headers, timeout=60).json()["name"] == "Deep Hue"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    user.reload()
    expect(page.get_by_role("link", name="Deep Hue")).to_be_visible()
    expect(shown).to_have_count(0)
    page.get_by_role("button", name="Revoke the token of Deep Hue").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Yes, stop this bot")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("no token")).to_be_visible()
    assert httpx.get(f"{server.url}/api/me", headers=headers, timeout=60).status_code == 401
