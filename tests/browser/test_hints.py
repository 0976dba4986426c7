"""Hints: offered to the player to act, in words and marked on every board, and never played."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.page_checks import check_axe, check_phone
from tests.browser.user import User

NewUser = Callable[..., User]
ME: dict[str, Any] = {"kind": "me"}
BOT: dict[str, Any] = {"kind": "bot", "level": "random"}


class Asker:
    """A user who asks for hints."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.page = user.page

    def create_table(self, game: str, seats: list[dict[str, Any]], hints: bool = True) -> str:
        """Create a table, open it and return its path."""
        path = self.user.create_table(game, *seats, hints=hints)
        self.user.open(path)
        return path

    @property
    def button(self) -> Locator:
        return self.page.locator(".board").get_by_role("button", name="Hint")

    @property
    def lines(self) -> Locator:
        return self.page.get_by_role("region", name="What a strong bot would do").get_by_role("button")

    @property
    def marks(self) -> Locator:
        return self.page.locator(".board").locator("span.hinted, svg.hinted, g.hinted")

    @property
    def update(self) -> dict[str, Any]:
        return self.user.updates[-1]

    def wait_for_turn(self) -> int:
        """Wait until one of the user's seats is to act and the board shows it; return the seat."""
        self.user.wait_until(lambda: bool(self.user.updates))
        mine = self.user.table["your_seats"]

        def shown() -> bool:
            go_on = self.page.get_by_role("button", name="Go on")
            if go_on.count():  # the bot's turn ended a round of Rainbow
                go_on.click()
            return (
                any(seat in mine for seat in self.update["turn"])
                and self.page.locator(f".board[data-ply='{self.update['ply']}']").count() == 1
            )

        self.user.wait_until(shown)
        seat: int = next(seat for seat in self.update["turn"] if seat in mine)
        return seat

    def flip(self) -> None:
        """Flip a card at Nimble."""
        self.page.get_by_role("group", name="Actions").get_by_role("button", name="Flip").click()

    def legal(self, seat: int) -> list[str]:
        texts: list[str] = next(seat_view["legal"] for seat_view in self.update["views"] if seat_view["seat"] == seat)
        return texts


def sit_together(ada: Asker, ben: Asker, game: str) -> None:
    """Seat two users at a table with hints."""
    ben.user.open(ada.create_table(game, [ME, {"kind": "open"}]))
    ben.page.get_by_role("button", name="Join").click()
    for one in (ada, ben):
        if game == "nimble":
            one.page.get_by_role("button", name="Ready", exact=True).click()
    for one in (ada, ben):
        expect(one.page.locator(".board")).to_be_visible()


GAMES_AND_SIZES = [
    ("rainbow", False),
    ("rainbow-road", True),
    ("flip-and-slide", False),
    pytest.param("rainbow", True, marks=pytest.mark.long),
    pytest.param("rainbow-road", False, marks=pytest.mark.long),
    pytest.param("flip-and-slide", True, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("game", "phone"), GAMES_AND_SIZES)
def test_hint_is_shown_in_words_and_marked_on_the_board(new_user: NewUser, game: str, phone: bool) -> None:
    ada = Asker(new_user(plain=False, phone=phone, dark=phone, still=True))
    ada.create_table(game, [ME, BOT])
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
    chances = [int(percent) for percent in re.findall(r"(\d+)\s%", " ".join(ada.lines.all_inner_texts()))]
    assert len(chances) == len(moves)
    assert chances == sorted(chances, reverse=True)
    for line, move in zip(ada.lines.all(), moves, strict=True):
        words = line.locator(".words").inner_text()
        assert words != move
        assert re.match(r"[A-Z]\w+ ", words)
    note = ada.page.locator(".board").get_by_text("Based on what you can see").locator("visible=true")
    # The other boards have no room for it on a phone.
    expect(note).to_have_count(1 if not phone or game == "flip-and-slide" else 0)
    expect(ada.page.get_by_role("alert")).to_contain_text(ada.lines.first.locator(".words").inner_text())

    expect(ada.lines.first).to_have_attribute("aria-pressed", "true")
    expect(ada.marks.first).to_be_attached()
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


@pytest.mark.long
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desktop"])
def test_hint_in_a_race_outlasts_the_moves_of_others(new_user: NewUser, phone: bool) -> None:
    ada = Asker(new_user(plain=False, phone=phone, still=True))
    ben = Asker(new_user(plain=False, still=True))
    sit_together(ada, ben, "nimble")
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
    ada.user.wait_for_ply(1)
    expect(ada.lines).to_contain_text("Flip a card")
    ada.flip()
    expect(ada.lines).to_have_count(0)
    expect(ada.marks).to_have_count(0)
    ada.button.click()
    expect(ada.lines.first).to_be_visible()
    expect(ada.lines.nth(1)).to_be_attached()


def test_hint_is_for_the_player_to_act_and_goes_with_its_position(new_user: NewUser) -> None:
    ada, ben = Asker(new_user(plain=False, still=True)), Asker(new_user(plain=False, still=True))
    sit_together(ada, ben, "rainbow")
    acts, waits = (ada, ben) if ada.update["turn"] == [ada.user.table["your_seats"][0]] else (ben, ada)
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
    acts.user.wait_for_ply(1)
    expect(waits.lines).to_have_count(0)


def test_table_without_hints_offers_none(new_user: NewUser) -> None:
    ada = Asker(new_user(plain=False, still=True))
    ada.create_table("rainbow", [ME, BOT], hints=False)
    expect(ada.page.locator(".board")).to_be_visible()
    ada.wait_for_turn()
    expect(ada.button).to_have_count(0)
    requests: list[str] = []
    ada.page.on("request", lambda request: requests.append(request.url))
    ada.page.keyboard.press("i")
    ada.page.keyboard.press("h")  # the next key was handled, so the one before was too
    expect(ada.page.get_by_role("complementary", name="What can I do now?")).to_be_visible()
    ada.user.ready()
    assert not [url for url in requests if "hint" in url]
    expect(ada.lines).to_have_count(0)


def test_plain_table_marks_the_hinted_move(new_user: NewUser) -> None:
    ada = Asker(new_user(still=True))
    ada.create_table("rainbow", [ME, BOT])
    expect(ada.user.moves.first).to_be_visible()
    ada.page.keyboard.press("i")
    expect(ada.lines.first).to_be_visible()
    best = ada.lines.first.get_attribute("data-move")
    expect(ada.page.locator("li", has=ada.page.locator("span.hinted")).get_by_role("button")).to_have_text(str(best))


def test_hints_are_an_option_of_a_table_and_the_default_of_a_puzzle(new_user: NewUser) -> None:
    ada = Asker(new_user(plain=False, still=True))

    def has_hints(path: str, count: str | None = None, switch: bool = False) -> bool:
        ada.user.open(path)
        if count:
            ada.page.get_by_label(count, exact=True).check()
        if switch:
            ada.page.get_by_label("Hints").click()
        ada.page.get_by_role("button", name="Start game").click()
        ada.page.wait_for_url("**/t/*")
        ada.user.reload()
        ada.user.wait_until(lambda: any(frame["type"] == "table" for frame in ada.user.frames))
        return bool(ada.user.table["hints"])

    assert has_hints("/new/rainbow")  # a first game
    assert not has_hints("/new/rainbow", switch=True)
    assert has_hints("/new/flip-and-slide", count="1")
    assert not has_hints("/new/flip-and-slide", count="1", switch=True)
