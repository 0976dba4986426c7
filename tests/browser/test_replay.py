"""Replays in the browser: stepping, playing, jumping, whose eyes, passing a moment on, records, and playing on."""

import json
import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from sevenhues.core import record, registry
from sevenhues.core.game import Game
from tests.browser.display import WINDOWS
from tests.browser.layout_checks import layout_faults
from tests.browser.page_checks import covered
from tests.browser.rainbow_board import WORDS
from tests.browser.user import User
from tests.server.process import ServerProcess
from tests.server.sample_records import sample_record

NewUser = Callable[..., User]
GAMES = sorted(registry.names())
OPENED = [name for name in GAMES if type(registry.load(name)).full_view is not Game.full_view]  # show more in a replay
PLAYED_ON = [("rainbow", False)]  # game, on a phone; the others in `make test-long`
Finished = dict[str, dict[str, Any]]
# The names on a board that are none of these.
NEW_NAMES_SCRIPT = """(known) => [...document.querySelectorAll(".board [aria-label]")].map((one) => one.ariaLabel)
    .filter((name) => !known.includes(name))"""


@pytest.fixture(scope="module")
def finished(server: ServerProcess) -> Finished:
    """Upload a finished game of each kind, Ada's against Mira; return the tables by game."""
    with httpx.Client(base_url=server.url, timeout=60) as http:
        http.get("/api/me")
        tables = {}
        for name in GAMES:
            text = sample_record(name, names=["Ada", "Mira"])
            tables[name] = http.post("/api/records", content=text, headers={"content-type": "application/json"}).json()
    return tables


def expect_shown(page: Page, ply: int, eyes: str | None = None) -> None:
    """Wait until a position is shown."""
    expect(page.locator(f".board[data-ply='{ply}']")).to_be_visible()
    if eyes is not None:
        expect(page.locator(f".board[data-viewpoint='{eyes}']")).to_be_visible()


def shown_ply(page: Page) -> int:
    return int(page.locator(".board").get_attribute("data-ply") or -1)


def track(page: Page) -> Locator:
    return page.get_by_role("slider", name="Position in the game")


def press_tick(page: Page, ply: int, plies: int) -> None:
    """Press the track where the tick of a move is drawn."""
    box = page.locator(".track .drawn").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * ply / plies, box["y"] + box["height"] / 2)


def open_replay(user: User, table: dict[str, Any], query: str = "") -> Page:
    page = user.open(f"/t/{table['id']}/replay{query}")
    expect(page.locator(".board[data-ply]")).to_be_visible()
    return page


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_controls_lead_to_every_move(new_user: NewUser, finished: Finished, phone: bool) -> None:
    table, ada = finished["rainbow"], new_user(plain=False, phone=phone)
    plies = table["ply"]
    page = open_replay(ada, table)
    expect_shown(page, 0, "watcher")

    for ply in (1, 2, 3):
        page.get_by_role("button", name="Next move").click()
        expect_shown(page, ply)
    page.get_by_role("button", name="Previous move").click()
    expect_shown(page, 2)
    page.get_by_role("button", name="Go to the end").click()
    expect_shown(page, plies)
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()

    press_tick(page, plies // 2, plies)
    expect(page.locator(f".board[data-ply='{plies}']")).to_have_count(0)
    assert abs(shown_ply(page) - plies // 2) <= max(1, plies // 150)  # a tick may be narrower than a pixel
    assert track(page).get_attribute("aria-valuetext") is not None

    if phone:
        page.get_by_role("button", name="Moves", exact=True).click()
    line = page.get_by_role("list", name="Moves").get_by_role("button").nth(3)
    ply = int(line.get_attribute("data-ply") or -1)
    line.click()
    expect_shown(page, ply)
    expect(line).to_have_attribute("aria-current", "step")


def test_everything_open_shows_what_a_player_does_not_see(new_user: NewUser, finished: Finished) -> None:
    ada = new_user(plain=False)
    for name in OPENED:
        ply = min(8, finished[name]["ply"] // 2)
        page = open_replay(ada, finished[name], f"?move={ply}")
        view = page.get_by_label("View as")
        known: list[str] = []
        for option, eyes in (("Spectator", "watcher"), ("Mira", "1")):
            view.select_option(option)
            expect_shown(page, ply, eyes)
            known += ada.ready().evaluate(NEW_NAMES_SCRIPT, known)
        view.select_option("Show everything")
        expect_shown(page, ply, "everything")
        page.wait_for_function(f"(known) => ({NEW_NAMES_SCRIPT})(known).length", arg=known)
        view.select_option("Mira")
        expect_shown(page, ply, "1")
        page.wait_for_function(f"(known) => !({NEW_NAMES_SCRIPT})(known).length", arg=known)


def test_everything_open_shows_both_true_faces(new_user: NewUser, finished: Finished) -> None:
    ada, deck = new_user(plain=False), json.loads(sample_record("rainbow"))["setup"]["deck"]
    page = open_replay(ada, finished["rainbow"], "?as=everything")
    labels = [one.get_attribute("aria-label") for one in page.locator(".hand [role=img]").all()]
    frames = httpx.get(
        f"{ada.url}/api/tables/{finished['rainbow']['id']}/replay?view=everything&most=1", timeout=60
    ).json()
    expected = []
    for seat in (1, 0):
        name = ["Ada", "Mira"][seat]
        for slot, card in enumerate(frames["frames"][0]["view"]["hands"][seat]):
            one, other = deck[card["card"]][seat], deck[card["card"]][1 - seat]
            expected.append(f"{name}’s card {slot + 1}, {WORDS[one]} toward {name}, {WORDS[other]} on the other side.")
    assert labels == expected


def test_playback_keeps_its_speed_and_stops(new_user: NewUser, finished: Finished) -> None:
    table, ada = finished["rainbow-road"], new_user(plain=False, still=True)
    ada.page.clock.install()
    page = open_replay(ada, table)
    ada.ready()
    ada.pause_clock()
    speed = page.get_by_label("Speed")
    play, pause = (page.get_by_role("button", name=name, exact=True) for name in ("Play", "Pause"))

    def moves_in(milliseconds: int) -> int:
        """Play from the beginning for a while, then pause."""
        page.keyboard.press("Home")
        expect_shown(page, 0)
        play.click()
        page.clock.run_for(milliseconds)
        pause.click()
        expect(play).to_be_visible()
        return shown_ply(page)

    moves = {}
    for name in ("½×", "1×", "4×"):
        speed.select_option(name)
        track(page).focus()
        moves[name] = moves_in(9000)
        page.clock.run_for(9000)
        assert shown_ply(page) == moves[name], "a paused replay stays where it is"
    assert 0 < moves["½×"] < moves["1×"] < moves["4×"]

    page.get_by_role("button", name="Go to the end").click()
    page.keyboard.press("ArrowLeft")
    play.click()
    page.clock.run_for(9000)
    expect_shown(page, table["ply"])
    expect(play).to_be_visible()


def test_replay_is_used_by_keyboard_alone(new_user: NewUser, finished: Finished) -> None:
    table, ada = finished["rainbow"], new_user(plain=False)
    page = open_replay(ada, table)
    status = page.get_by_role("status").last
    page.keyboard.press("ArrowRight")
    expect_shown(page, 1)
    expect(status).to_contain_text(re.compile(rf"^Move 1 of {table['ply']}: (Ada|Mira) "))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect_shown(page, 1)
    page.keyboard.press("End")
    expect_shown(page, table["ply"])
    page.keyboard.press("Home")
    expect_shown(page, 0)
    expect(status).to_contain_text("Before the first move")
    page.keyboard.press("Shift+ArrowRight")
    second = shown_ply(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moves h3")).to_have_text("Round 2")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".moves h3")).to_have_text("Round 3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    expect_shown(page, second)
    page.keyboard.press("Space")
    expect_shown(page, second + 1)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    track(page).focus()
    now = shown_ply(page)
    page.keyboard.press("ArrowRight")
    expect_shown(page, now + 1)
    page.keyboard.press("h")
    expect(page.get_by_role("alert").first).to_contain_text(f"Move {now + 1} of")


def test_link_opens_the_shared_position(new_user: NewUser, finished: Finished) -> None:
    table, ada, mira = finished["rainbow-road"], new_user(plain=False), new_user(plain=False, phone=True)
    page = open_replay(ada, table, "?move=5&as=1")
    expect_shown(page, 5, "1")
    page.keyboard.press("ArrowRight")
    page.get_by_label("View as").select_option("Show everything")
    expect_shown(page, 6, "everything")
    expect(page).to_have_url(re.compile(r"\?move=6&as=everything$"))
    ada.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share this moment").click()
    expect(page.get_by_text("Copied").first).to_be_visible()
    link: str = page.evaluate("navigator.clipboard.readText()")
    mira.page.goto(link)
    expect_shown(mira.page, 6, "everything")
    expect(mira.page.locator("header p")).to_have_css("height", "15px")  # one line, on a phone too
    mira.open(f"/t/{table['id']}/replay?move=99999&as=7")
    expect_shown(mira.page, table["ply"], "watcher")


def test_record_is_uploaded_and_downloaded(new_user: NewUser) -> None:
    ada = new_user(plain=False)
    ada.expect_error("status of 400")
    page = ada.open("/replay")
    choose = page.get_by_label("Choose a file")
    good = sample_record("rainbow-road", seed=9, names=["Ines", "bot:player"]).encode()
    bad = json.loads(good)
    bad["moves"][3] = "0 P9>a1"

    choose.set_input_files({"name": "bad.json", "mimeType": "application/json", "buffer": json.dumps(bad).encode()})
    expect(page.get_by_role("alert").filter(has_text="This isn’t a game record: moves[3]")).to_be_visible()
    choose.set_input_files({"name": "picture.json", "mimeType": "application/json", "buffer": b"\x89PNG"})
    expect(page.get_by_role("alert").filter(has_text="This isn’t a game record")).to_be_visible()

    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "dropped.json", { type: "application/json" }));
            const place = document.querySelector("[aria-label='Upload a game']");
            place.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        good.decode(),
    )
    page.wait_for_url("**/t/*/replay*")
    expect_shown(page, 0)
    expect(page.get_by_text("uploaded")).to_be_visible()
    expect(page.get_by_label("View as").get_by_role("option")).to_have_text(
        ["Ines", "Bot · Medium", "Spectator", "Show everything"]
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="Game record").click()
    saved = json.loads(download.value.path().read_text())
    assert saved["moves"] == json.loads(good)["moves"]
    ada.open("/replay").get_by_role("link").filter(has_text="uploaded").click()
    expect_shown(page, 0)


@pytest.mark.parametrize(
    ("name", "phone"),
    [
        pytest.param(name, phone, marks=[] if (name, phone) in PLAYED_ON else pytest.mark.long)
        for name in GAMES
        for phone in (False, True)
    ],
)
def test_game_is_played_on_against_a_bot(new_user: NewUser, finished: Finished, name: str, phone: bool) -> None:
    table, ada = finished[name], new_user(phone=phone)
    ply = table["ply"] // 2
    page = open_replay(ada, table, f"?move={ply}&as=0")
    page.get_by_role("button", name="Play from here").click()
    sheet = page.get_by_role("dialog", name=f"Play from move {ply}")
    sheet.get_by_label("Mira").check()
    sheet.get_by_role("button", name="Start game").click()
    page.wait_for_url(lambda url: table["id"] not in url)
    expect_branch(page, ply, phone)
    assert ada.table["branch"] == {"table": table["id"], "ply": ply}
    assert ada.table["your_seats"] == [1]
    ada.wait_until(lambda: any(update["history"] is not None for update in ada.updates))
    first = next(update["history"] for update in ada.updates if update["history"] is not None)
    truth = record.read(sample_record(name)).moves[:ply]
    assert [(move["seat"], move["text"], move["at"]) for move in first[:ply]] == [tuple(move) for move in truth]

    def both_moved() -> bool:
        """Move whenever we may, until the bot has moved too."""
        if ada.moves.count():
            ada.moves.first.dispatch_event("click")  # in a race the buttons never stand still
        return {0, 1} <= {move["seat"] for move in moves_after(ada, ply)}

    ada.wait_until(both_moved)
    ada.resign()
    page.get_by_role("link", name="Replay").click()
    expect_shown(page, 0)
    expect_branch(page, ply, phone)


def expect_branch(page: Page, ply: int, phone: bool) -> None:
    """Wait until the header says where the game was continued from, or on a phone its menu."""
    if phone:
        page.get_by_role("button", name="This game").click()
    expect(page.get_by_text(f"continued from move {ply}").first).to_be_visible()
    if phone:
        page.get_by_role("button", name="Close").click()


@pytest.mark.parametrize("window", ["390×664", "1280×650"])
@pytest.mark.parametrize("name", GAMES)
def test_controls_of_a_replay_cover_nothing_of_the_board(
    new_user: NewUser, finished: Finished, name: str, window: str
) -> None:
    ada = new_user(plain=False, still=True, locale="de")
    width, height = WINDOWS[window]
    ada.page.set_viewport_size({"width": width, "height": height})
    page = open_replay(ada, finished[name], f"?move={finished[name]['ply'] // 2}&as=everything")
    ada.ready()
    lowest, controls = page.evaluate(
        """() => {
            const below = (selector) => [...document.querySelectorAll(selector)]
                .filter((one) => one.checkVisibility() && !one.closest("svg, .unseen"))
                .map((one) => one.getBoundingClientRect().bottom);
            scrollTo(0, document.body.scrollHeight); // until the controls are in their own place
            const { top } = document.querySelector(".below").getBoundingClientRect();
            return [Math.max(...below(".board button, .board li, .board h2, .board p")), top];
        }"""
    )
    assert lowest <= controls


@pytest.mark.parametrize("name", GAMES)
def test_controls_of_a_replay_are_in_view_in_every_window(new_user: NewUser, finished: Finished, name: str) -> None:
    ada = new_user(plain=False, still=True)
    page = open_replay(ada, finished[name])
    faults: list[str] = []
    for window, (width, height) in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": height})
        ada.ready()
        page.evaluate("scrollTo(0, 0)")
        faults += [f"{window}: {fault}" for fault in layout_faults(page, ".controls > *, .track input")]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("width", "height"), [(360, 560), (740, 360), (640, 512)])
def test_controls_of_a_replay_do_not_cover_what_has_the_focus(
    new_user: NewUser, finished: Finished, width: int, height: int
) -> None:
    ada = new_user(plain=False, still=True)
    ada.page.set_viewport_size({"width": width, "height": height})
    page = open_replay(ada, finished["rainbow-road"])
    ada.ready()
    assert covered(page) == []


def moves_after(user: User, ply: int) -> list[dict[str, Any]]:
    """The moves that were made since a game was played on."""
    history: list[Any] = next(update["history"] for update in user.updates if update["history"] is not None)
    return history[ply:] + [update["move"] for update in user.updates if update["move"] is not None]


def test_result_and_lists_link_to_the_replay(new_user: NewUser) -> None:
    ada, mira = new_user(), new_user()
    page = ada.open("/new/rainbow")
    page.get_by_label("Player 2").select_option("Bot · Beginner")
    page.get_by_label("Anyone can find and watch this game").check()
    page.get_by_role("button", name="Start game").click()
    ada.move()
    address = page.url.removeprefix(ada.url)

    mira.expect_error("status of 409")
    mira.open(f"{address}/replay")
    expect(mira.page.get_by_role("heading", name="This game isn’t over yet")).to_be_visible()
    ada.resign()
    page.get_by_role("link", name="Replay").click()
    expect_shown(page, 0, "0")
    expect(page.get_by_role("region", name="The board as text")).to_contain_text("Round 1")

    mira.open(address)
    expect(mira.page.get_by_text("This game is over.")).to_be_visible()
    mira.page.get_by_role("link", name="Watch the replay.").click()
    expect_shown(mira.page, 0, "watcher")
    mira.open("/replay").get_by_role("link").filter(has_text="Bot · Beginner").first.click()
    expect_shown(mira.page, 0)
    mira.expect_error("status of 404")
    mira.open("/t/no-such-table/replay")
    expect(mira.page.get_by_role("heading", name="This game is gone")).to_be_visible()
