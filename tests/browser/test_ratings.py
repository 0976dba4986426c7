"""Ratings in the browser: what a game did, the leaderboard, a profile, and games that do not count."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import check_axe, check_phone
from tests.browser.user import User

NewUser = Callable[..., User]


def short_game(winner: User, loser: User, name: str) -> None:
    """Play until one of them resigns."""
    winner.open()
    winner.card("Rainbow").get_by_role("button", name="Invite").click()
    winner.page.wait_for_url("**/t/*")
    loser.open("/t/" + winner.page.url.rsplit("/", 1)[1])
    loser.page.get_by_label("Your name").fill(name)
    loser.page.get_by_role("button", name="Sit down").click()
    winner.wait_for_ply(0)
    begins, waits = (winner, loser) if winner.updates[-1]["turn"] == [0] else (loser, winner)
    begins.move()
    waits.wait_for_ply(1)
    loser.resign()
    expect(winner.page.get_by_role("heading", name="You won")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_game_changes_ratings_and_they_are_found(new_user: NewUser, phone: bool) -> None:
    ada, mira = new_user(phone=phone, bypass_csp=True), new_user(phone=phone, dark=True, bypass_csp=True)
    short_game(ada, mira, "Mira")
    changes = ada.page.get_by_role("list", name="Ratings")
    expect(changes.get_by_role("listitem")).to_have_count(2)
    expect(changes).to_contain_text("from 1500 to 1579")
    expect(changes.get_by_role("listitem").filter(has_text="Mira")).to_contain_text("1500 → 1421")
    check_axe(ada.page, "result")
    changes.get_by_role("link", name="Mira").click()

    expect(ada.page.get_by_role("heading", name="Mira")).to_be_visible()
    expect(ada.page).to_have_title("Mira · Seven Hues")
    expect(ada.page.get_by_role("img", name="Rating over one game: from 1500 to 1421")).to_be_visible()
    ada.page.get_by_text("The curve as a table").click()
    expect(ada.page.get_by_role("table")).to_contain_text("1421")
    games = ada.page.get_by_role("list", name="Rated games")
    expect(games).to_contain_text("Rainbow, lost to")
    expect(games.get_by_role("link", name="Look at it")).to_be_visible()
    check_axe(ada.page, "profile")
    if phone:
        check_phone(ada.page, "profile")

    # A stranger is told of the game, and not where it was played.
    zoe = new_user(bypass_csp=True)
    zoe.open(ada.page.url.removeprefix(ada.url))
    expect(zoe.page.get_by_role("list", name="Rated games")).to_contain_text("private table")
    expect(zoe.page.get_by_role("link", name="Look at it")).to_have_count(0)

    mira.page.get_by_role("button", name="This table").click()
    mira.page.get_by_role("dialog").get_by_role("link", name="Mira").click()
    expect(mira.page.get_by_role("heading", name="Mira")).to_be_visible()
    mira.page.get_by_role("button", name="You and your settings").click()
    mira.page.get_by_role("link", name="All players").click()
    board = mira.page.get_by_role("table", name="Players of Rainbow")
    expect(board.get_by_role("row").filter(has_text="Mira").filter(has_text="you")).to_contain_text("1421")
    expect(mira.page.get_by_text("Under ten games a rating is provisional")).to_be_visible()
    check_axe(mira.page, "leaderboard")
    if phone:
        check_phone(mira.page, "leaderboard")
    mira.page.get_by_role("navigation", name="Games").get_by_role("link", name="Nimble").click()
    mira.page.wait_for_url("**/ratings/nimble")
    expect(mira.page.get_by_text("Nobody has played a rated game of it yet.")).to_be_visible()
    check_axe(mira.page, "an empty leaderboard")


def test_games_that_do_not_count_say_so_from_the_start(new_user: NewUser) -> None:
    ada = new_user()
    page = ada.open("/new/rainbow")
    expect(page.get_by_text("This game will be rated.")).to_be_visible()
    page.get_by_role("combobox", name="Seat 2").select_option("Somebody at this device")
    expect(page.get_by_text("Not rated: one device is shared.")).to_be_visible()
    page.get_by_role("combobox", name="Seat 2").select_option("Whoever has the link")
    page.locator("label").filter(has_text="Memory aid").get_by_role("combobox").select_option(index=1)
    expect(page.get_by_text("Not rated: an option makes it easier.")).to_be_visible()
    page.get_by_role("button", name="Lay the table").click()
    expect(page.get_by_role("heading", name="The table is laid")).to_be_visible()
    expect(page.get_by_text("Not rated: an option makes it easier.")).to_be_visible()
    page.get_by_role("button", name="Let a bot sit").click()
    expect(ada.drawing).to_be_visible()
    expect(page.get_by_role("banner").get_by_text("unrated")).to_be_visible()
    ada.resign()
    expect(page.get_by_role("heading", name="Player bot won")).to_be_visible()
    expect(page.get_by_text("Not rated: an option makes it easier.")).to_be_visible()
    expect(page.get_by_role("list", name="Ratings")).to_have_count(0)


def test_who_has_not_played_is_told_what_counts(new_user: NewUser) -> None:
    ada = new_user()
    page = ada.open()
    page.get_by_role("button", name="You and your settings").click()
    page.get_by_role("link", name="Your ratings").click()
    expect(page.get_by_text("You have not played a rated game yet.")).to_be_visible()
    ada.offline = True  # the answer is 404
    ada.open("/players/0123456789abcdef")
    expect(page.get_by_role("alert").filter(has_text="There is no player")).to_be_visible()
    ada.errors.clear()
