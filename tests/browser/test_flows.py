"""The ways to sit down and play, on the generic table, so that they hold for every game."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.user import SECONDS, User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]


def test_one_click_from_the_home_page_to_the_first_move(new_user: NewUser) -> None:
    ada = new_user()
    ada.play_bot("Rainbow")
    ada.move()
    ada.wait_for_ply(1)
    expect(ada.page.get_by_role("list", name="The story so far").get_by_role("listitem").first).to_be_visible()
    ada.open()
    ticket = ada.page.get_by_role("link").filter(has_text="Player bot")
    expect(ticket).to_contain_text("Rainbow")


def test_every_game_can_be_played_on_the_plain_table(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    expect(ada.page.get_by_role("article")).to_have_count(4)
    for title in ada.page.get_by_role("article").get_by_role("heading").all_inner_texts():
        ada.frames.clear()
        ada.play_bot(title)
        ada.move()
        ada.wait_for_ply(1)


def test_inviting_a_friend(new_user: NewUser) -> None:
    ada, mira = new_user(), new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    expect(ada.page.get_by_role("heading", name="The table is laid")).to_be_visible()
    expect(ada.page.get_by_role("img", name="Link to this table")).to_be_visible()

    mira.open("/t/" + ada.page.url.rsplit("/", 1)[1])
    mira.page.get_by_label("Your name").fill("Mira")
    mira.page.get_by_role("button", name="Sit down").click()

    expect(ada.drawing).to_be_visible()
    expect(mira.drawing).to_be_visible()
    expect(ada.page.get_by_role("list", name="Seats")).to_contain_text("Mira")
    begins, waits = (ada, mira) if ada.updates[-1]["turn"] == [0] else (mira, ada)
    begins.move()
    waits.wait_for_ply(1)
    assert waits.updates[-1]["ply"] == begins.updates[-1]["ply"] == 1


def test_a_bot_takes_the_seat_nobody_came_for(new_user: NewUser) -> None:
    ada = new_user()
    ada.open()
    ada.card("Rainbow").get_by_role("button", name="Invite").click()
    ada.page.get_by_role("button", name="Let a bot sit").click()
    expect(ada.drawing).to_be_visible()


def test_resigning_the_proof_the_record_and_a_rematch(new_user: NewUser) -> None:
    ada = new_user()
    ada.play_bot("Rainbow")
    expect(ada.drawing).to_be_visible()
    first = ada.page.url
    ada.resign()
    expect(ada.page.get_by_role("heading", name="Player bot won")).to_be_visible()
    expect(ada.page.get_by_text("You resigned.")).to_be_visible()
    ada.page.get_by_role("button", name="Proof of the deal").click()
    expect(ada.page.get_by_text("is the one that was sealed before you sat down")).to_be_visible()
    expect(ada.page.get_by_text("Your device added chance of its own")).to_be_visible()
    with ada.page.expect_download() as record:
        ada.page.get_by_role("link", name="Record").click()
    assert record.value.suggested_filename.endswith(".json")
    ada.page.get_by_role("button", name="Rematch").click()
    ada.page.wait_for_url(lambda url: url != first)
    expect(ada.drawing).to_be_visible()
    ada.open("/replay")
    assert ada.page.get_by_role("heading", name="Played before").is_visible()


def test_a_reload_in_the_middle_of_a_turn_changes_nothing(new_user: NewUser) -> None:
    ada = new_user()
    ada.play_bot("Rainbow Flip & Slide")
    ada.move()
    ada.wait_for_ply(1)
    while ada.updates[-1]["turn"] != [0]:
        ada.page.wait_for_timeout(50)
    expect(ada.moves.first).to_be_visible()
    drawn = ada.drawing.inner_text()
    ada.page.reload()
    expect(ada.moves.first).to_be_visible()
    assert ada.drawing.inner_text() == drawn


def test_a_move_made_while_the_server_is_down_is_made_once(new_user: NewUser, server: ServerProcess) -> None:
    ada = new_user()
    ada.play_bot("Rainbow Flip & Slide")
    while not ada.updates or ada.updates[-1]["turn"] != [0]:
        ada.page.wait_for_timeout(50)
    expect(ada.moves.first).to_be_visible()
    ply = ada.updates[-1]["ply"]
    ada.offline = True
    server.kill()
    band = ada.page.locator(".band")
    expect(band).to_contain_text("Connection lost.")
    text = ada.move()
    expect(ada.moves).to_have_count(0)
    server.start()
    expect(band).to_contain_text("Back. Nothing is lost.", timeout=15 * SECONDS)
    ada.wait_for_ply(ply + 1)
    ada.page.reload()
    expect(ada.drawing).to_be_visible()
    history = next(update["history"] for update in reversed(ada.updates) if update["history"])
    assert history[ply]["text"] == text
    assert [move["seat"] for move in history[: ply + 1]].count(0) == sum(
        1 for move in history[:ply] if move["seat"] == 0
    ) + 1


def test_a_table_that_is_no_more(new_user: NewUser) -> None:
    ada = new_user()
    ada.offline = True
    ada.open("/t/no-such-table")
    expect(ada.page.get_by_role("heading", name="This table is no more")).to_be_visible()
    ada.errors.clear()


def test_a_hidden_tab_says_that_it_is_your_turn(new_user: NewUser) -> None:
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


def test_a_table_of_ones_own_with_a_clock_is_found_by_watchers(new_user: NewUser) -> None:
    ada, watcher = new_user(), new_user()
    page = ada.open("/new/rainbow")
    page.get_by_label("Clock").select_option("5 minutes each, 5 seconds a turn")
    page.get_by_label("Seat 2").select_option("Bot: seedling")
    page.get_by_label("Anybody may find and watch it").check()
    page.get_by_role("button", name="Lay the table").click()
    expect(ada.moves.first).to_be_visible()
    expect(page.get_by_role("timer").first).to_have_text(re.compile(r"^4:\d\d$"))
    watcher.open("/watch")
    watcher.page.get_by_role("link").filter(has_text="Seedling bot").first.click()
    expect(watcher.drawing).to_be_visible()
    expect(watcher.page.get_by_text("Watching")).to_be_visible()
    ada.open()
    expect(ada.page.get_by_role("link").filter(has_text="Seedling bot")).to_be_visible()


def test_carrying_a_name_to_another_device_and_being_forgotten(new_user: NewUser) -> None:
    ada, phone = new_user(), new_user(phone=True)
    page = ada.open()
    page.get_by_role("button", name="You and your settings").click()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Saved")).to_be_visible()
    page.get_by_role("button", name="Make the link").click()
    link = page.get_by_label("Link that carries you over").and_(page.get_by_role("textbox")).input_value()

    phone.open("/" + link.split("/", 1)[1])
    phone.page.get_by_role("button", name="Bring it over").click()
    phone.page.wait_for_url(phone.url + "/")
    phone.page.get_by_role("button", name="You and your settings").click()
    expect(phone.page.get_by_label("Your name")).to_have_value("Ada")

    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("button", name="Yes, forget me").click()
    page.wait_for_load_state()
    page.get_by_role("button", name="You and your settings").click()
    expect(page.get_by_label("Your name")).not_to_have_value("Ada")


def test_a_puzzle_for_one_can_be_sent_to_others(new_user: NewUser) -> None:
    ada, mira = new_user(), new_user()
    page = ada.open("/new/flip-and-slide?puzzle=MOSS-7")
    expect(page.get_by_label("Puzzle")).to_have_value("MOSS-7")
    page.get_by_role("button", name="Lay the table").click()
    expect(ada.drawing).to_be_visible()
    expect(page.get_by_text("Whoever plays MOSS-7 gets this very deal.")).to_be_visible()
    mira.open("/new/flip-and-slide?puzzle=moss-7").get_by_role("button", name="Lay the table").click()
    expect(mira.drawing).to_be_visible()
    assert mira.updates[-1]["eyes"][0]["view"] == ada.updates[-1]["eyes"][0]["view"]
