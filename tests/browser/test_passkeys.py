"""Passkeys and recovery codes in the browser, with Chromium's virtual authenticator."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Request, expect

from tests.browser.user import User
from tests.server.process import ServerProcess

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
# Ask for a signature as a page of another origin does that passes on a challenge.
SIGN = """async ({ challenge, host }) => {
    const decode = (text) =>
        Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const encode = (data) =>
        btoa(String.fromCharCode(...new Uint8Array(data)))
            .replaceAll("+", "-")
            .replaceAll("/", "_")
            .replaceAll("=", "");
    const publicKey = { challenge: decode(challenge), rpId: host, userVerification: "required" };
    const { rawId, response } = await navigator.credentials.get({ publicKey });
    return {
        id: encode(rawId),
        client_data: encode(response.clientDataJSON),
        authenticator_data: encode(response.authenticatorData),
        signature: encode(response.signature),
        user: encode(response.userHandle),
    };
}"""


class Keyring:
    """The virtual authenticator of a user's page."""

    def __init__(self, user: User, **options: Any) -> None:
        self._session: CDPSession = user.context.new_cdp_session(user.page)
        self._session.send("WebAuthn.enable")
        answer = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR | options})
        self._id = {"authenticatorId": answer["authenticatorId"]}

    @property
    def credentials(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._session.send("WebAuthn.getCredentials", self._id)["credentials"]
        return found

    def put(self, credential: dict[str, Any]) -> None:
        """Put a passkey on this device, as a service that synchronizes passkeys does."""
        self._session.send("WebAuthn.addCredential", {**self._id, "credential": credential})

    def verify_user(self, verified: bool) -> None:
        self._session.send("WebAuthn.setUserVerified", {**self._id, "isUserVerified": verified})


@pytest.fixture
def new_local_user(browser: Browser, server: ServerProcess) -> Iterator[Callable[..., User]]:
    """Make users that open the server by a host name, which passkeys need."""
    users: list[User] = []

    def make(**settings: Any) -> User:
        users.append(User(browser, f"http://localhost:{server.port}", **settings))
        return users[-1]

    yield make
    for user in users:
        user.context.close()
    assert [error for user in users for error in user.errors] == []


def open_settings(user: User) -> Page:
    user.open()
    user.page.get_by_role("button", name="Profile and settings").click()
    expect(user.page.get_by_role("button", name="Add a passkey")).to_be_enabled()
    return user.page


def add_passkey(user: User) -> None:
    page = open_settings(user)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("button", name="Rename Passkey 1")).to_be_visible()


def expect_name(user: User, name: str) -> None:
    expect(user.page.get_by_role("banner").get_by_text(name)).to_be_visible()


def sign_in(user: User) -> Page:
    page = open_settings(user)
    page.get_by_role("button", name="Use a passkey").click()
    return page


def test_passkey_brings_name_and_games_to_another_device(new_local_user: Callable[..., User]) -> None:
    ada, phone = new_local_user(), new_local_user()
    keys, phone_keys = Keyring(ada), Keyring(phone)
    ada.rename("Ada")
    table = ada.create_table("rainbow", {"kind": "me"}, {"kind": "open"})
    add_passkey(ada)
    phone_keys.put(keys.credentials[0])
    sign_in(phone)
    expect_name(phone, "Ada")
    expect(phone.page.locator(f"a[href='{table}']")).to_be_visible()
    page = open_settings(phone)
    expect(page.get_by_text("last used")).to_be_visible()

    # Renamed and removed there, it is refused here.
    page.get_by_role("button", name="Rename Passkey 1").click()
    page.get_by_label("Name of the passkey").fill("Blue key")
    page.get_by_role("button", name="Save").last.click()
    page.get_by_role("button", name="Remove Blue key").click()
    page.get_by_role("button", name="Yes, remove it").click()
    expect(page.get_by_role("button", name="Remove Blue key")).to_have_count(0)
    ada.expect_error("status of 409")
    ada.expect_error("status of 404")
    page = sign_in(ada)
    page.get_by_role("button", name="Sign in", exact=True).click()  # Ada leaves her game behind
    expect(page.get_by_role("alert").get_by_text("This passkey isn’t known here.")).to_be_visible()


def test_answer_of_a_passkey_is_not_accepted_again(new_local_user: Callable[..., User]) -> None:
    ada, phone = new_local_user(), new_local_user()
    keys, phone_keys = Keyring(ada), Keyring(phone)
    ada.rename("Ada")
    add_passkey(ada)
    phone_keys.put(keys.credentials[0])
    sent: list[Request] = []
    phone.page.on("request", lambda request: sent.append(request) if request.url.endswith("/sign-in") else None)
    sign_in(phone)
    expect_name(phone, "Ada")
    for user in (ada, phone):
        user.page.request.post(f"{ada.url}/api/me/sign-in/challenge", data={"leave": True})
        answer = user.page.request.post(f"{ada.url}/api/me/sign-in", data=json.loads(sent[0].post_data or ""))
        assert (answer.status, answer.json()["key"]) == (400, "bad-passkey")


def test_copied_passkey_and_unverified_user_are_refused(new_local_user: Callable[..., User]) -> None:
    ada, phone = new_local_user(), new_local_user()
    keys, phone_keys = Keyring(ada), Keyring(phone)
    add_passkey(ada)
    old = keys.credentials[0]
    phone_keys.verify_user(False)
    phone_keys.put(old)
    page = sign_in(phone)
    expect(page.get_by_text("No passkey was used.")).to_be_visible()
    phone_keys.verify_user(True)
    with page.expect_navigation():
        page.get_by_role("button", name="Use a passkey").click()
    # The copy has an older counter.
    ada.expect_error("status of 403")
    page = sign_in(ada)
    expect(page.get_by_text("The passkey Passkey 1 may have been copied.")).to_be_visible()


def test_signature_for_a_page_of_another_origin_is_refused(
    new_local_user: Callable[..., User], own_server: ServerProcess
) -> None:
    ada, lured, thief = new_local_user(), new_local_user(), new_local_user()
    keys, lured_keys = Keyring(ada), Keyring(lured)
    add_passkey(ada)
    lured_keys.put(keys.credentials[0])
    lured.page.goto(f"http://localhost:{own_server.port}")
    request = thief.page.request
    request.get(f"{ada.url}/api/me")
    for headers in ({}, {"origin": ada.url}):
        asked = request.post(f"{ada.url}/api/me/sign-in/challenge", data={}, headers=headers)
        assert asked.ok, asked.text()
        signed = lured.page.evaluate(SIGN, asked.json())
        answer = request.post(f"{ada.url}/api/me/sign-in", data=signed, headers=headers)
        assert (answer.status, answer.json()["key"]) == (400, "bad-passkey")


def test_recovery_code_is_shown_once_printed_and_used_once(new_local_user: Callable[..., User]) -> None:
    ada, phone = new_local_user(), new_local_user()
    Keyring(ada)
    Keyring(phone)
    ada.rename("Ada")
    page = open_settings(ada)
    page.get_by_role("button", name="Make a recovery code").click()
    code = page.locator(".code").inner_text()
    page.emulate_media(media="print")
    expect(page.get_by_text(code)).to_be_visible()
    expect(page.get_by_role("heading", name="Passkeys")).to_be_hidden()
    page.emulate_media(media="screen")
    page = open_settings(ada)
    expect(page.get_by_text("You made one on")).to_be_visible()
    expect(page.get_by_text(code)).to_have_count(0)

    page = open_settings(phone)
    page.get_by_role("button", name="Use a recovery code").click()
    page.get_by_role("textbox", name="Recovery code").fill(code.lower())
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect_name(phone, "Ada")
    page = open_settings(phone)
    expect(page.get_by_text("You made one on")).to_have_count(0)
    phone.expect_error("status of 409")
    phone.expect_error("status of 404")
    page.get_by_role("button", name="Use a recovery code").click()
    page.get_by_role("textbox", name="Recovery code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("button", name="Sign in", exact=True).click()  # Ada has no way back now
    expect(page.get_by_text("This recovery code has a typo")).to_be_visible()


def test_guest_with_games_is_warned_before_signing_in_and_can_return(new_local_user: Callable[..., User]) -> None:
    ada, guest = new_local_user(), new_local_user()
    keys, guest_keys = Keyring(ada), Keyring(guest)
    ada.rename("Ada")
    add_passkey(ada)
    guest_keys.put(keys.credentials[0])
    guest.rename("Gus")
    table = guest.create_table("rainbow", {"kind": "me"}, {"kind": "open"})
    guest.expect_error("status of 409")
    page = sign_in(guest)
    warning = page.get_by_role("alert").filter(has_text="You leave Gus behind, with one unfinished game.")
    expect(warning).to_be_focused()
    page.get_by_role("button", name="Make a recovery code").last.click()
    code = page.locator(".code").inner_text()
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect_name(guest, "Ada")
    expect(page.locator(f"a[href='{table}']")).to_have_count(0)
    page = open_settings(guest)
    page.get_by_role("button", name="Use a recovery code").click()
    page.get_by_role("textbox", name="Recovery code").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect_name(guest, "Gus")
    expect(page.locator(f"a[href='{table}']")).to_be_visible()


def test_page_without_a_host_name_says_why_there_are_no_passkeys(new_user: Callable[..., User]) -> None:
    ada = new_user()
    ada.open()
    ada.page.get_by_role("button", name="Profile and settings").click()
    expect(ada.page.get_by_text("Passkeys don’t work on this page")).to_be_visible()
    expect(ada.page.get_by_role("button", name="Add a passkey")).to_have_count(0)
    expect(ada.page.get_by_role("button", name="Make a recovery code")).to_be_visible()
