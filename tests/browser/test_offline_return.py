"""Offline games after the browser was killed, and once the server is back: they go on, and are uploaded once."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx
import pytest
from playwright.sync_api import Browser, BrowserType, Route, expect

from sevenhues import load
from tests.browser.conftest import CHROMIUM, FLAGS, SERVER_OPTIONS
from tests.browser.offline_user import STARTED, OfflineUser
from tests.browser.positions import last_turn_of_rainbow
from tests.browser.rainbow_board import RainbowBoard
from tests.browser.releases import Release
from tests.browser.user import SECONDS
from tests.cli.command import COMMAND
from tests.server.process import ServerProcess

RAINBOW = load("rainbow")
LOOKED = 60 * SECONDS  # within which a page has asked whether its server is back


@pytest.fixture
def lost(client: None, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test kills."""
    with ServerProcess(tmp_path / "data", *SERVER_OPTIONS) as running:
        yield running


def kill_browser(profile: Path) -> None:
    """Kill the browser of a profile, and all its processes, with SIGKILL; return when they have ended."""
    command = ["pgrep", "-f", "--", f"--user-data-dir={profile}"]
    while running := subprocess.run(command, capture_output=True, text=True).stdout.split():
        for pid in map(int, running):
            with suppress(ProcessLookupError):  # it ended with the first one
                os.kill(pid, signal.SIGKILL)


def test_killed_browser_loses_no_move(chromium: BrowserType, lost: ServerProcess, tmp_path: Path) -> None:
    profile = tmp_path / "profile"

    def start() -> OfflineUser:
        context = chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=FLAGS, reduced_motion="reduce"
        )
        return OfflineUser(context, lost)

    user = start()
    user.make_available()
    user.lose_server()
    user.page.reload()
    user.play_level(RAINBOW, "seedling")
    board, rng = RainbowBoard(user), Random(4)
    for _ in range(3):
        board.wait_for_turn()
        user.wait_for_ply(board.make_random_move(rng))
    made = [frame["move"] for frame in user.updates if frame["move"]]
    table = user.page.url
    kill_browser(profile)

    user = start()
    user.context.set_offline(True)
    user.open()
    user.page.get_by_role("link").filter(has_text="Bot · Beginner").click()
    user.page.wait_for_url(table)
    user.wait_until(lambda: any(update["history"] for update in user.updates))
    history = next(update["history"] for update in user.updates if update["history"])
    assert [(move["seat"], move["text"]) for move in history[: len(made)]] == [
        (move["seat"], move["text"]) for move in made
    ]
    RainbowBoard(user).wait_for_turn()
    user.context.close()


def test_server_that_is_back_takes_new_tables_and_an_offline_game_once(
    browser: Browser, lost: ServerProcess, tmp_path: Path
) -> None:
    user = OfflineUser(browser, lost, still=True)
    page = user.page
    user.make_available()
    user.lose_server()
    user.play_level(RAINBOW, "seedling")
    unfinished, board = page.url, RainbowBoard(user)
    board.wait_for_turn()
    user.wait_for_ply(board.make_random_move(Random(1)))
    user.play_on(RAINBOW, last_turn_of_rainbow(), "seedling")
    finished = page.url
    board.finish(Random(2))
    expect(user.result_title).to_be_visible()
    expect(page.get_by_role("button", name="Upload to my games")).to_have_count(0)

    lost.start()
    user.context.set_offline(False)
    page.evaluate("window.untouched = true")
    upload = page.get_by_role("button", name="Upload to my games")
    expect(upload).to_be_visible(timeout=LOOKED)

    # The answer to the first upload is lost.
    answered: list[str] = []

    def lose_answer(route: Route) -> None:
        answered.append(route.fetch().json()["id"])
        route.abort()

    page.route("**/api/records*", lose_answer)
    upload.click()
    expect(page.get_by_role("alert").filter(has_text="Can’t reach the server")).to_be_visible()
    page.unroute("**/api/records*")
    second = OfflineUser(user.context, lost)
    second.open(finished.removeprefix(lost.url))
    buttons = [one.page.get_by_role("button", name="Upload to my games") for one in (user, second)]
    for button in buttons:
        expect(button).to_be_visible(timeout=STARTED)
    for one, button in zip((user, second), buttons, strict=True):
        button.click()
        expect(one.page.get_by_text("This game is among your games.")).to_be_visible()
    page.get_by_role("link", name="View uploaded game").click()
    expect(page.locator(".board[data-ply='0']")).to_be_visible()
    uploaded = re.search(r"/t/([^/]+)/replay", page.url)
    assert uploaded
    assert answered == [uploaded[1]]
    expect(page.get_by_text("played offline").first).to_be_visible()
    cookies = {cookie["name"]: cookie["value"] for cookie in user.context.cookies()}
    listed = httpx.get(f"{lost.url}/api/tables?which=mine", cookies=cookies, timeout=60).json()["tables"]
    assert [table["id"] for table in listed] == answered

    with page.expect_download() as download:
        page.get_by_role("link", name="Game record").click()
    saved = tmp_path / "game.json"
    download.value.save_as(saved)
    verified = subprocess.run([COMMAND, "verify", saved], capture_output=True, text=True)
    assert (verified.returncode, verified.stderr) == (0, "")

    user.follow("/")
    user.card("Rainbow").get_by_role("button", name="Play a bot").click()
    page.wait_for_url("**/t/*")
    assert "offline-" not in page.url
    expect(page.locator(".board")).to_be_visible()  # over its websocket, whose frames are those of the server's table
    user.forget_frames()
    user.follow(unfinished.removeprefix(lost.url))
    page.wait_for_url(unfinished)
    board.wait_for_turn()
    user.wait_for_ply(board.make_random_move(Random(3)))
    assert page.evaluate("window.untouched")
    assert user.errors == second.errors == []
    user.context.close()


def test_new_version_waits_for_the_end_of_an_offline_game(browser: Browser, client: None, tmp_path: Path) -> None:
    with Release(tmp_path, *SERVER_OPTIONS) as release:
        release.update(release.use_real_parts)
        user = OfflineUser(browser, release.server, still=True)
        page, ready = user.page, user.page.get_by_text("A new version is ready")
        user.make_available()
        user.lose_server()
        user.play_on(RAINBOW, last_turn_of_rainbow(), "seedling")
        game, board = page.url, RainbowBoard(user)
        board.wait_for_turn()
        user.wait_for_ply(board.play_card())
        page.evaluate("window.untouched = true")

        release.update(release.mark)
        user.context.set_offline(False)
        user.follow("/")
        expect(ready).to_be_visible(timeout=LOOKED)
        user.follow(game.removeprefix(release.server.url))
        board.wait_for_turn()
        expect(ready).to_have_count(0)
        board.finish(Random(2))
        expect(user.result_title).to_be_visible()
        expect(ready).to_be_visible()
        assert page.evaluate("window.untouched")

        with page.expect_navigation():
            page.get_by_role("button", name="Update", exact=True).click()
        expect(page.locator("meta[name=release]")).to_have_attribute("content", "2")
        assert page.url == game
        expect(user.result_title).to_be_visible(timeout=STARTED)
        user.context.close()
