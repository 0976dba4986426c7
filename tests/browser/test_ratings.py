"""Ratings: in the result of a game, on a profile and on the leaderboard; and games that are not rated."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


@pytest.fixture
def server(own_server: ServerProcess) -> ServerProcess:
    return own_server


def play_turn(user: User, seat: int) -> None:
    """Play a card and end the turn; who loses a round by the card begins the next one."""
    while user.updates[-1]["turn"] == [seat]:
        ply = user.updates[-1]["ply"]
        expect(user.page.locator(f".board[data-ply='{ply}']")).to_be_visible()
        expect(user.moves.first).to_be_visible()
        ends = user.moves.get_by_text("E", exact=True)
        (ends if ends.count() else user.moves).first.click()
        user.wait_for_ply(ply + 1)


def short_game(winner: User, loser: User, name: str) -> None:
    """Play one turn of both players, then let one of them resign."""
    winner.open()
    winner.card("Rainbow").get_by_role("button", name="Invite").click()
    winner.page.wait_for_url("**/t/*")
    loser.open("/t/" + winner.page.url.rsplit("/", 1)[1])
    loser.page.get_by_label("Your name").fill(name)
    loser.page.get_by_role("button", name="Join").click()
    winner.wait_for_ply(0)
    seats = [winner, loser]
    loser.wait_for_ply(0)
    first = winner.updates[-1]["turn"][0]
    play_turn(seats[first], first)
    second = seats[1 - first]
    ply = seats[first].updates[-1]["ply"]
    second.wait_for_ply(ply)
    second.move()
    for user in seats:
        user.wait_for_ply(ply + 1)
    loser.resign()
    expect(winner.page.get_by_role("heading", name="You won")).to_be_visible()


def test_game_changes_ratings_in_the_result_the_profile_and_the_leaderboard(new_user: NewUser) -> None:
    ada, mira = new_user(), new_user()
    short_game(ada, mira, "Mira")
    changes = ada.page.get_by_role("list", name="Ratings")
    expect(changes.get_by_role("listitem")).to_have_count(2)
    expect(changes).to_contain_text("from 1500 to 1520")
    expect(changes.get_by_role("listitem").filter(has_text="Mira")).to_contain_text("1500 → 1480")
    changes.get_by_role("link", name="Mira").click()

    expect(ada.page.get_by_role("heading", name="Mira")).to_be_visible()
    expect(ada.page).to_have_title("Mira · Seven Hues")
    expect(ada.page.get_by_role("img", name="Rating over one game: from 1500 to 1480")).to_be_visible()
    ada.page.get_by_text("Rating history as a table").click()
    expect(ada.page.get_by_role("table")).to_contain_text("1480")
    games = ada.page.get_by_role("list", name="Rated games")
    expect(games).to_contain_text("Rainbow, lost to")
    expect(games.get_by_role("link", name="View game")).to_be_visible()

    # A stranger sees the game, but no link to its private table.
    zoe = new_user()
    zoe.open(ada.page.url.removeprefix(ada.url))
    expect(zoe.page.get_by_role("list", name="Rated games")).to_contain_text("private game")
    expect(zoe.page.get_by_role("link", name="View game")).to_have_count(0)

    mira.page.get_by_role("button", name="This game").click()
    mira.page.get_by_role("dialog").get_by_role("link", name="Mira").click()
    expect(mira.page.get_by_role("heading", name="Mira")).to_be_visible()
    mira.page.get_by_role("button", name="Profile and settings").click()
    mira.page.get_by_role("link", name="All players").click()
    board = mira.page.get_by_role("table", name="Players of Rainbow")
    expect(board.get_by_role("row").filter(has_text="Mira").filter(has_text="you")).to_contain_text("1480")
    expect(mira.page.get_by_text("A rating is provisional and has no rank")).to_be_visible()
    mira.page.get_by_role("navigation", name="Games").get_by_role("link", name="Nimble").click()
    mira.page.wait_for_url("**/ratings/nimble")
    expect(mira.page.get_by_text("No one has played a rated game yet.")).to_be_visible()


def test_unrated_games_say_so_from_the_start(new_user: NewUser) -> None:
    ada = new_user()
    page = ada.open("/new/rainbow")
    expect(page.get_by_text("Not rated: hints are on.")).to_be_visible()
    page.get_by_role("checkbox", name="Hints").uncheck()
    expect(page.get_by_text("This game is rated.")).to_be_visible()
    page.get_by_role("combobox", name="Player 2").select_option("Someone on this device")
    expect(page.get_by_text("Not rated: players share a device.")).to_be_visible()
    page.get_by_role("combobox", name="Player 2").select_option("Anyone with the link")
    page.locator("label").filter(has_text="Memory aid").get_by_role("combobox").select_option(index=1)
    expect(page.get_by_text("Not rated: an option makes it easier.")).to_be_visible()
    page.get_by_role("button", name="Start game").click()
    expect(page.get_by_role("heading", name="Invite a friend")).to_be_visible()
    expect(page.get_by_text("Not rated: an option makes it easier.")).to_be_visible()
    page.get_by_role("button", name="Add a bot").click()
    expect(ada.drawing).to_be_visible()
    expect(page.get_by_role("banner").get_by_text("unrated")).to_be_visible()
    ada.resign()
    expect(page.get_by_role("heading", name="Bot · Beginner won")).to_be_visible()
    expect(page.get_by_text("Not rated: an option makes it easier.")).to_be_visible()
    expect(page.get_by_role("list", name="Ratings")).to_have_count(0)


def test_profile_without_games_and_unknown_profile(new_user: NewUser) -> None:
    ada = new_user()
    page = ada.open()
    page.get_by_role("button", name="Profile and settings").click()
    page.get_by_role("link", name="Your ratings").click()
    expect(page.get_by_text("You haven’t played a rated game yet.")).to_be_visible()
    ada.expect_error("status of 404")
    ada.open("/players/0123456789abcdef")
    expect(page.get_by_role("alert").filter(has_text="There’s no player")).to_be_visible()
