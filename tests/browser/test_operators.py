"""Operators in a browser: their page, and what people see of their acts."""

import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import SERVER_OPTIONS
from tests.browser.user import User
from tests.server.operators import OPERATOR, TOKEN
from tests.server.process import ServerProcess

NARROW = {"width": 360, "height": 740}
SCROLLED = "document.documentElement.scrollWidth > innerWidth"


@pytest.fixture(scope="module")
def administered(client: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("administered")
    token = folder / "admin.token"
    token.write_text(TOKEN, encoding="ascii")
    os.chmod(token, 0o600)
    with ServerProcess(folder, *SERVER_OPTIONS, "--admin-token-file", str(token)) as running:
        yield running


@pytest.fixture
def operator(administered: ServerProcess) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{administered.url}/api/admin/", headers=OPERATOR, timeout=60) as http:
        yield http


def reasons(operator: httpx.Client, user_id: str) -> list[str]:
    """Return the reasons of a person's restrictions. Other tests ban others at the same server."""
    listed = operator.get("restrictions").json()["restrictions"]
    return [one["reason"] for one in listed if one["subject"] == user_id]


def test_operator_bans_a_person_by_keyboard_on_a_narrow_screen(
    browser: Browser, administered: ServerProcess, operator: httpx.Client
) -> None:
    with httpx.Client(base_url=administered.url, timeout=60) as http:
        user_id = http.get("/api/me").json()["id"]
        http.patch("/api/me", json={"name": "Augusta"}).raise_for_status()
    context = browser.new_context(viewport=NARROW)  # type: ignore[arg-type]
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(operator.post("link").json()["url"])
    page.get_by_role("searchbox").fill("august")
    page.keyboard.press("Enter")
    expect(page.locator(".list h3")).to_have_text(["Augusta"])
    page.get_by_role("link", name="Augusta").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Ban").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Ban Augusta?")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert reasons(operator, user_id) == [], "a cancelled act is not done"
    page.get_by_role("button", name="Ban").press("Enter")
    expect(page.get_by_role("dialog").get_by_role("textbox").first).to_be_focused()
    page.keyboard.type("insults at tables")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Done. It is in the audit log.")
    expect(page.get_by_role("button", name="Unban")).to_be_visible()
    assert reasons(operator, user_id) == ["insults at tables"]
    for name in ("People", "Tables", "Restrictions", "Announcements", "Load and errors", "Audit log"):
        page.get_by_role("navigation").get_by_role("link", name=name).press("Enter")
        expect(page.get_by_role("heading", name=name, level=2)).to_be_visible()
        assert not page.evaluate(SCROLLED), name
    expect(page.get_by_text("insults at tables")).to_be_visible()
    operator.delete(f"people/{user_id}/ban").raise_for_status()
    context.close()
    assert errors == []


def test_people_see_maintenance_and_a_ban_in_their_language(
    browser: Browser, administered: ServerProcess, operator: httpx.Client
) -> None:
    user = User(browser, administered.url, locale="de-DE")
    table = user.create_table("rainbow", {"kind": "me"}, {"kind": "open"})
    user.open(table)
    user_id = user.page.request.get(f"{user.url}/api/me").json()["id"]
    expect(user.page.locator("main")).to_be_visible()
    body = {"starts": 4_102_488_000_000, "seconds": 3600, "note": "Neue Spiele!"}
    operator.post("announcements", json=body).raise_for_status()
    notice = user.page.locator(".notice")
    expect(notice).to_contain_text("Wegen Wartung ist der Server von")
    expect(notice).to_contain_text("2100")
    expect(notice).to_contain_text("Neue Spiele!")
    user.open("/")
    expect(notice).to_contain_text("Neue Spiele!")  # also of those who come later
    notice.get_by_role("button").click()
    expect(notice).to_have_count(0)
    user.open(table)
    expect(notice).to_have_count(1)
    user.wait_until(lambda: any(frame["type"] == "maintenance" for frame in user.frames))  # connected
    for one in operator.get("announcements").json()["announcements"]:
        operator.delete(f"announcements/{one['id']}").raise_for_status()
    expect(notice).to_have_count(0)
    operator.post(f"people/{user_id}/ban", json={"reason": "Beleidigungen"}).raise_for_status()
    expect(notice).to_contain_text("Du bist hier dauerhaft gesperrt.")
    expect(notice).to_contain_text("Beleidigungen")
    user.context.close()
    assert user.errors == []
