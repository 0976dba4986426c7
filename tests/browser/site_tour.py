"""A walk through every page and state of the client, for tests that look at all of them."""

from collections.abc import Iterator, Sequence
from itertools import chain

from playwright.sync_api import expect

from sevenhues import load, names
from tests.browser.languages import ENGLISH, words
from tests.browser.user import User


def everywhere(ada: User, replays: Sequence[str] = (), tag: str = ENGLISH) -> Iterator[str]:
    """Go from place to place in a language, and name each; `replays` are paths of games whose story was told."""
    return chain(pages(ada, tag), tables(ada, tag), hinted(ada, tag), retold(ada, replays, tag))


def pages(ada: User, tag: str) -> Iterator[str]:
    said = words(tag)
    for path in ("/", *(f"/new/{name}" for name in names()), "/watch", "/replay", "/ratings", "/nowhere"):
        ada.open(path)
        expect(ada.page.get_by_role("main")).to_be_visible()
        ada.page.wait_for_load_state("networkidle")
        expect(ada.page.locator("html")).to_have_attribute("lang", tag)
        yield path
    for name in names():
        ada.open(f"/rules/{name}")
        expect(ada.page.locator("[data-rule]").first).to_be_visible()
        if tag != ENGLISH:
            told = load(name).rules(tag).split("\n\n")[1].split("\n")[0]
            expect(ada.page.get_by_role("main")).to_contain_text(told)
        yield f"/rules/{name}"
    ada.open()
    ada.page.get_by_role("button", name=said["me.menu"]).click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    yield "settings"
    ada.open()
    ada.page.get_by_role("button", name=said["play.share"]).first.click()
    expect(ada.page.get_by_role("dialog")).to_be_visible()
    yield "sharing"
    ada.open()
    ada.page.get_by_role("button", name=said["play.invite"]).first.click()
    expect(ada.page.get_by_role("heading", name=said["waiting.title"])).to_be_visible()
    yield "waiting"


def tables(ada: User, tag: str) -> Iterator[str]:
    said = words(tag)
    for at, name in enumerate(names()):
        ada.open()
        ada.page.get_by_role("button", name=said["play.bot"]).nth(at).click()
        expect(ada.page.get_by_role("region", name=said["board"])).to_be_visible()
        ada.page.wait_for_timeout(600)
        yield f"a table, {at}"
        if name == names()[0]:
            ada.page.get_by_role("button", name=said["table.menu"]).click()
            expect(ada.page.get_by_role("dialog")).to_be_visible()
            yield "the table's menu"
            ada.page.get_by_role("button", name=said["resign"], exact=True).click()
            ada.page.get_by_role("button", name=said["resign.yes"]).click()
            expect(ada.page.get_by_role("button", name=said["rematch"])).to_be_visible()
            yield "the result"


def hinted(ada: User, tag: str) -> Iterator[str]:
    said = words(tag)
    seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
    laid = ada.page.request.post(f"{ada.url}/api/tables", data={"game": "rainbow", "seats": seats, "hints": True})
    ada.open(f"/t/{laid.json()['id']}")
    ada.page.get_by_role("region", name=said["board"]).get_by_role("button", name=said["hint"]).click()
    expect(ada.page.get_by_role("region", name=said["hint.label"]).get_by_role("button").first).to_be_visible()
    yield "a hint"


def retold(ada: User, replays: Sequence[str], tag: str) -> Iterator[str]:
    said = words(tag)
    for path in replays:
        ada.open(path)
        story = ada.page.get_by_role("region", name=said["story.title"])
        expect(story.get_by_role("img").first).to_be_visible()
        for table in story.get_by_text(said["story.table"], exact=True).all():
            table.click()
        yield f"a replay and its story, {path}"
