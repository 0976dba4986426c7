"""Legends of keys are shown beside what they press, but not on a device without a keyboard."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from sevenhues import load, names
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.board_positions import COUNT, starts
from tests.browser.prepared_tables import PreparedTables, Seat
from tests.browser.site_tour import NAMES, race_start
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
TOUCHED: list[Any] = [
    {"width": 390, "height": 664},
    {"width": 1366, "height": 1024},
]  # the tablet is as wide as a laptop


@pytest.mark.parametrize("name", names())
def test_key_legends_do_not_show_on_touch_devices(new_user: NewUser, server: ServerProcess, name: str) -> None:
    prepared, touch, desktop = PreparedTables(server.data), new_user(plain=False, phone=True), new_user(plain=False)
    start = list(starts(name).values())[COUNT // 2]
    seats = [Seat(player, new_user_id()) for player in NAMES]
    path = f"/t/{prepared.create(load(name), start, seats, began=race_start(name))}"
    for user in (touch, desktop):
        prepared.sign_in(user, str(seats[0].user_id))
        user.open(path)
        expect(user.page.locator(f".board[data-ply='{len(start.moves)}']")).to_be_visible()
    expect(desktop.page.locator("kbd:visible")).not_to_have_count(0)
    for size in TOUCHED:
        touch.page.set_viewport_size(size)
        expect(touch.ready().locator("kbd:visible")).to_have_count(0)
