"""A game from another package is played in the browser: on the plain table, with its own rules."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.user import User
from tests.outside.tutorial import Follower, write
from tests.server.process import ServerProcess


def test_game_of_the_tutorial_is_played_in_the_browser(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    reader = Follower(tmp_path)
    reader.run("pip install ./garland")
    monkeypatch.setenv("PYTHONPATH", reader.path)
    with ServerProcess(tmp_path / "data") as server:
        ada = User(browser, server.url, plain=False)
        ada.play_bot("Garland")
        for _ in range(3):
            ada.move()
        ada.wait_until(lambda: bool(ada.updates[-1]["result"]))
        ada.open("/rules/garland")
        expect(ada.page.get_by_text("It belongs to nobody")).to_be_visible()
        assert not ada.errors
        ada.context.close()
