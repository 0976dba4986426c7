"""Hints in a real browser: offered when one may ask, in words, marked on every board, and played by nobody."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_accessibility import check_axe, check_phone
from tests.browser.user import User

NewUser = Callable[..., User]
ME: dict[str, Any] = {"kind": "me"}
BOT: dict[str, Any] = {"kind": "bot", "level": "random"}


class Asker:
    """A person who asks for hints."""

    def __init__(self, person: User) -> None:
        self.person = person
        self.page = person.page

    def lay(self, game: str, seats: list[dict[str, Any]], hints: bool = True) -> str:
        """Lay a table, sit down and return its path."""
        self.person.open()
        expect(self.person.card("Rainbow")).to_be_visible()
        table: str = self.page.evaluate(
            """async (wish) => {
                const headers = { "content-type": "application/json" };
                const made = await fetch("/api/tables", { method: "POST", headers, body: JSON.stringify(wish) });
                return (await made.json()).id;
            }""",
            {"game": game, "seats": seats, "hints": hints},
        )
        self.person.open(f"/t/{table}")
        return f"/t/{table}"

    @property
    def button(self) -> Locator:
        return self.page.locator(".board").get_by_role("button", name="Hint")

    @property
    def lines(self) -> Locator:
        return self.page.get_by_role("region", name="What a strong bot would do").get_by_role("button")

    @property
    def marks(self) -> Locator:
        return self.page.locator(".board").locator("span.hinted, svg.hinted")

    @property
    def update(self) -> dict[str, Any]:
        return self.person.updates[-1]

    def wait_for_turn(self) -> int:
        """Wait until a seat of one's own is to act, and shown; return it."""
        self.person.wait_until(lambda: bool(self.person.updates))
        mine = self.person.table["mine"]
        self.person.wait_until(
            lambda: (
                any(seat in mine for seat in self.update["turn"])
                and self.page.locator(f".board[data-ply='{self.update['ply']}']").count() == 1
            )
        )
        seat: int = next(seat for seat in self.update["turn"] if seat in mine)
        return seat

    def flip(self) -> None:
        """Flip a card at Nimble."""
        self.page.get_by_role("group", name="Actions").get_by_role("button", name="Flip").click()

    def legal(self, seat: int) -> list[str]:
        texts: list[str] = next(eye["legal"] for eye in self.update["eyes"] if eye["seat"] == seat)
        return texts


def together(ada: Asker, ben: Asker, game: str) -> None:
    """Sit down at a table with hints, both in front of a browser of their own."""
    ben.person.open(ada.lay(game, [ME, {"kind": "open"}]))
    ben.page.get_by_role("button", name="Sit down").click()
    for one in (ada, ben):
        expect(one.page.locator(".board")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", ["rainbow", "rainbow-road", "flip-and-slide"])
def test_a_hint_is_told_in_words_and_marked_on_the_board(new_user: NewUser, game: str, phone: bool) -> None:
    ada = Asker(new_user(plain=False, phone=phone, dark=phone, still=True, bypass_csp=True))
    ada.lay(game, [ME, BOT])
    expect(ada.page.locator(".board")).to_be_visible()
    seat = ada.wait_for_turn()
    ply = ada.update["ply"]
    if phone:
        ada.button.click()
    else:
        ada.page.keyboard.press("i")
    expect(ada.lines.first).to_be_visible()
    moves = [str(line.get_attribute("data-move")) for line in ada.lines.all()]
    assert 0 < len(moves) <= 3
    assert set(moves) <= set(ada.legal(seat))
    chances = [int(found) for found in re.findall(r"(\d+)\s%", " ".join(ada.lines.all_inner_texts()))]
    assert len(chances) == len(moves)
    assert chances == sorted(chances, reverse=True)
    for line, move in zip(ada.lines.all(), moves, strict=True):
        words = line.locator(".words").inner_text()
        assert words != move
        assert re.match(r"[A-Z]\w+ ", words)
    expect(ada.page.locator(".board").get_by_text("From what you can see").locator("visible=true")).to_have_count(1)
    expect(ada.page.get_by_role("alert")).to_contain_text(ada.lines.first.locator(".words").inner_text())

    expect(ada.lines.first).to_have_attribute("aria-pressed", "true")
    assert ada.marks.count() > 0
    if len(moves) > 1:
        best = [(mark.bounding_box(), mark.inner_html()) for mark in ada.marks.all()]
        ada.lines.nth(1).click()
        expect(ada.lines.nth(1)).to_have_attribute("aria-pressed", "true")
        expect(ada.lines.first).to_have_attribute("aria-pressed", "false")
        assert [(mark.bounding_box(), mark.inner_html()) for mark in ada.marks.all()] != best
    check_axe(ada.page, f"hint at {game}")
    if phone:
        check_phone(ada.page, f"hint at {game}")

    ada.page.keyboard.press("Escape")
    expect(ada.lines).to_have_count(0)
    expect(ada.marks).to_have_count(0)
    expect(ada.button).to_be_visible()
    assert ada.update["ply"] == ply, "a hint plays nothing"


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_in_a_race_a_hint_outlasts_what_the_others_do(new_user: NewUser, phone: bool) -> None:
    ada = Asker(new_user(plain=False, phone=phone, still=True, bypass_csp=True))
    ben = Asker(new_user(plain=False, still=True))
    together(ada, ben, "nimble")
    for one in (ada, ben):
        expect(one.page.locator("[data-stack='1']")).to_have_attribute("aria-disabled", "false")
    ada.button.click()
    expect(ada.lines).to_have_count(1)
    expect(ada.lines).to_contain_text("Flip a card")
    expect(ada.lines).to_contain_text("the only move")
    expect(ada.marks).to_have_count(1)
    check_axe(ada.page, "hint at nimble")
    if phone:
        check_phone(ada.page, "hint at nimble")
    ben.flip()
    ada.person.wait_for_ply(1)
    expect(ada.lines).to_contain_text("Flip a card")
    ada.flip()
    expect(ada.lines).to_have_count(0)
    expect(ada.marks).to_have_count(0)
    ada.button.click()
    expect(ada.lines.first).to_be_visible()
    assert len(ada.lines.all()) > 1


def test_a_hint_goes_with_its_position_and_is_for_whoever_is_to_act(new_user: NewUser) -> None:
    ada, ben = Asker(new_user(plain=False, still=True)), Asker(new_user(plain=False, still=True))
    together(ada, ben, "rainbow")
    acts, waits = (ada, ben) if ada.update["turn"] == [ada.person.table["mine"][0]] else (ben, ada)
    expect(acts.button).to_be_visible()
    expect(waits.button).to_have_count(0)
    waits.page.keyboard.press("i")
    acts.button.click()
    expect(acts.lines.first).to_be_visible()
    acts.page.keyboard.press("1")
    expect(acts.lines.first).to_be_visible()
    acts.page.keyboard.press("s")
    expect(acts.lines).to_have_count(0)
    expect(acts.marks).to_have_count(0)
    acts.person.wait_for_ply(1)
    expect(waits.lines).to_have_count(0)


def test_no_hints_where_the_table_was_laid_without(new_user: NewUser) -> None:
    ada = Asker(new_user(plain=False, still=True))
    ada.lay("rainbow", [ME, BOT], hints=False)
    expect(ada.page.locator(".board")).to_be_visible()
    ada.wait_for_turn()
    expect(ada.button).to_have_count(0)
    ada.page.keyboard.press("i")
    ada.page.wait_for_timeout(300)
    expect(ada.lines).to_have_count(0)


def test_a_plain_table_marks_the_move_among_its_buttons(new_user: NewUser) -> None:
    ada = Asker(new_user(still=True))
    ada.lay("rainbow", [ME, BOT])
    expect(ada.person.moves.first).to_be_visible()
    ada.page.keyboard.press("i")
    expect(ada.lines.first).to_be_visible()
    best = ada.lines.first.get_attribute("data-move")
    expect(ada.page.locator("li", has=ada.page.locator("span.hinted")).get_by_role("button")).to_have_text(str(best))


def test_a_table_is_laid_with_hints_where_one_wants_them_and_for_one_unless_not(new_user: NewUser) -> None:
    ada = Asker(new_user(plain=False, still=True))

    def laid(path: str, count: str | None = None, switch: bool = False) -> bool:
        ada.person.open(path)
        if count:
            ada.page.get_by_label(count, exact=True).check()
        if switch:
            ada.page.get_by_label("Hints").click()
        ada.page.get_by_role("button", name="Lay the table").click()
        ada.page.wait_for_url("**/t/*")
        ada.person.frames.clear()
        ada.page.reload()
        ada.person.wait_until(lambda: any(frame["type"] == "table" for frame in ada.person.frames))
        return bool(ada.person.table["hints"])

    assert not laid("/new/rainbow")
    assert laid("/new/rainbow", switch=True)
    assert laid("/new/flip-and-slide", count="1")
    assert not laid("/new/flip-and-slide", count="1", switch=True)
