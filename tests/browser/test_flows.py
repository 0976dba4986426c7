"""The ways to start and play a game, on the plain table, so that they hold for every game."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from sevenhues import names
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


def test_every_game_starts_by_one_click_and_is_played_on_the_plain_table(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    expect(ada.page.get_by_role("article")).to_have_count(len(names()))
    for title in ada.page.get_by_role("article").get_by_role("heading").all_inner_texts():
        ada.play_bot(title)
        ada.move()
        ada.wait_for_ply(1)
        expect(ada.page.get_by_role("list", name="Moves").get_by_role("listitem").first).to_be_visible()
    ada.open()
    tables = ada.page.get_by_role("link").filter(has_text="Bot · Beginner")
    expect(tables.filter(has_text="Rainbow Road")).to_be_visible()


def test_invited_guest_sits_down_and_moves_reach_both(new_user: NewUser) -> None:
    ada, mira = new_user(), new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("heading", name="Invite a friend")).to_be_visible()
    expect(ada.page.get_by_text("This address only works on this device.")).to_be_visible()
    expect(ada.page.get_by_role("textbox", name="Link to this game")).to_have_value(re.compile(r"/t/[a-z0-9-]+$"))

    mira.open("/t/" + ada.page.url.rsplit("/", 1)[1])
    mira.page.get_by_label("Your name").fill("Mira")
    mira.page.get_by_role("button", name="Join").click()

    expect(ada.drawing).to_be_visible()
    expect(mira.drawing).to_be_visible()
    expect(ada.page.get_by_role("list", name="Players")).to_contain_text("Mira")
    first, second = (ada, mira) if ada.updates[-1]["turn"] == [0] else (mira, ada)
    first.move()
    for user in (first, second):
        user.wait_for_ply(1)
    assert second.updates[-1]["ply"] == first.updates[-1]["ply"] == 1


def test_bot_takes_an_open_seat(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    ada.page.get_by_role("button", name="Add a bot").click()
    expect(ada.drawing).to_be_visible()


def test_result_offers_the_proof_the_record_and_a_rematch(new_user: NewUser) -> None:
    ada = new_user()
    ada.play_bot("Rainbow")
    expect(ada.drawing).to_be_visible()
    first = ada.page.url
    ada.resign()
    expect(ada.page.get_by_role("heading", name="Bot · Beginner won")).to_be_visible()
    expect(ada.page.get_by_text("You resigned.")).to_be_visible()
    ada.page.get_by_role("button", name="Proof of a fair deal").click()
    expect(ada.page.get_by_text("matches the seal your device saved")).to_be_visible()
    expect(ada.page.get_by_text("Your device added its own randomness")).to_be_visible()
    with ada.page.expect_download() as record:
        ada.page.get_by_role("link", name="Game record").click()
    assert record.value.suggested_filename.endswith(".json")
    ada.page.get_by_role("button", name="Rematch").click()
    ada.page.wait_for_url(lambda url: url != first)
    expect(ada.drawing).to_be_visible()
    ada.open("/replay")
    expect(ada.page.get_by_role("heading", name="Finished games")).to_be_visible()


def test_reload_and_lost_connection_change_nothing_and_a_move_is_made_once(
    new_user: NewUser, server: ServerProcess
) -> None:
    ada = new_user()
    ada.play_bot("Rainbow Flip & Slide")
    ada.move()
    ada.wait_for_ply(1)
    ada.wait_for_turn()
    expect(ada.moves.first).to_be_visible()
    expect(ada.drawing).to_contain_text("2 actions left")
    drawn = ada.drawing.inner_text()
    ada.reload()
    ada.wait_until(lambda: ada.drawing.count() == 1 and ada.drawing.inner_text() == drawn)
    expect(ada.moves.first).to_be_visible()

    ply = ada.updates[-1]["ply"]
    ada.expect_error("ERR_")
    server.kill()
    band = ada.page.locator(".band")
    expect(band).to_contain_text("Connection lost.")
    text = ada.move()
    expect(ada.moves).to_have_count(0)
    server.start()
    expect(band).to_contain_text("Back online. Nothing was lost.")
    ada.wait_for_ply(ply + 1)
    ada.reload()
    ada.wait_until(lambda: any(update["history"] for update in ada.updates))
    history = next(update["history"] for update in ada.updates if update["history"])
    assert history[ply]["text"] == text
    assert [move["seat"] for move in history[: ply + 1]].count(0) == sum(
        1 for move in history[:ply] if move["seat"] == 0
    ) + 1


def test_unknown_table_says_so(new_user: NewUser) -> None:
    ada = new_user()
    ada.expect_error("status of 404")
    ada.open("/t/no-such-table")
    expect(ada.page.get_by_role("heading", name="This game is gone")).to_be_visible()


def test_hidden_tab_shows_that_it_is_your_turn(new_user: NewUser) -> None:
    ada = new_user()
    ada.play_bot("Rainbow")
    expect(ada.moves.first).to_be_visible()
    expect(ada.page).to_have_title("Rainbow · Seven Hues")
    ada.page.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(ada.page).to_have_title("● Your turn · Rainbow")
    expect(ada.page.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")


def test_public_table_with_a_clock_is_listed_for_watchers(new_user: NewUser) -> None:
    ada, watcher = new_user(), new_user()
    page = ada.open("/new/rainbow")
    page.get_by_label("Clock").select_option("5 minutes each, plus 5 seconds a turn")
    page.get_by_label("Player 2").select_option("Bot · Beginner")
    page.get_by_label("Anyone can find and watch this game").check()
    page.get_by_role("button", name="Start game").click()
    expect(ada.moves.first).to_be_visible()
    expect(page.get_by_role("timer").first).to_have_text(re.compile(r"^4:\d\d$"))
    watcher.open("/watch").locator(f"a[href='{page.url.removeprefix(ada.url)}']").click()
    expect(watcher.drawing).to_be_visible()
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    ada.open()
    expect(ada.page.get_by_role("link").filter(has_text="Bot · Beginner")).to_be_visible()


def test_name_is_moved_to_another_device_and_deleted(new_user: NewUser) -> None:
    ada, phone = new_user(), new_user(phone=True)
    page = ada.open()
    page.get_by_role("button", name="Profile and settings").click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Link for your other device").and_(page.get_by_role("textbox")).input_value()

    phone.open("/" + link.split("/", 1)[1])
    phone.page.get_by_role("button", name="Continue here").click()
    phone.page.wait_for_url(phone.url + "/")
    phone.page.get_by_role("button", name="Profile and settings").click()
    expect(phone.page.get_by_label("Your name")).to_have_value("Ada")

    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Yes, delete my data").click()
    page.wait_for_load_state()
    page.get_by_role("button", name="Profile and settings").click()
    expect(page.get_by_label("Your name")).not_to_have_value("Ada")


def test_puzzle_address_gives_everyone_the_same_deal(new_user: NewUser) -> None:
    ada, mira = new_user(), new_user()
    page = ada.open("/new/flip-and-slide?puzzle=MOSS-7")
    expect(page.get_by_label("Puzzle")).to_have_value("MOSS-7")
    page.get_by_role("button", name="Start game").click()
    expect(ada.drawing).to_be_visible()
    expect(page.get_by_text("Anyone who plays MOSS-7 gets this same deal.")).to_be_visible()
    mira.open("/new/flip-and-slide?puzzle=moss-7").get_by_role("button", name="Start game").click()
    expect(mira.drawing).to_be_visible()
    assert mira.updates[-1]["views"][0]["view"] == ada.updates[-1]["views"][0]["view"]
