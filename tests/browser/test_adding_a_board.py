"""A reader of docs/adding-a-board.md gets a board: its folder is added, the client is built, and a game is played."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import sevenhues
from tests.browser.user import User
from tests.outside import tutorial
from tests.server.process import ServerProcess

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/adding-a-board.md"
FOLDER = "web/src/games/garland"
NODE = Path(sys.executable).with_name("node")


def write(folder: Path) -> list[str]:
    """Write the files of the page into a folder and return their names."""
    files = dict(tutorial.FILE.findall(PAGE.read_text(encoding="utf-8")))
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return list(files)


def build(folder: Path) -> Path:
    """Build the client with the board of the page into a copy of the package; return the folder to import it from."""
    web, package = folder / "web", Path(sevenhues.__file__).parent
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(package, folder / "src/sevenhues", ignore=shutil.ignore_patterns("web", "__pycache__"))
    (web / "node_modules").symlink_to((ROOT / "web/node_modules").resolve())
    written = write(folder)
    assert all(name.startswith(f"{FOLDER}/") for name in written), written
    command = [NODE if NODE.exists() else "node", "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"]
    done = subprocess.run(command, cwd=web, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "src"


def test_board_of_the_page_is_built_and_played(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build(tmp_path)
    tutorial.write(tmp_path)
    reader = tutorial.Follower(tmp_path)
    reader.run("pip install ./garland")
    monkeypatch.setenv("PYTHONPATH", f"{built}{os.pathsep}{reader.path}")
    with ServerProcess(tmp_path / "data") as server:
        ada = User(browser, server.url, plain=False, still=True)
        page = ada.open()
        expect(ada.card("Garland")).to_contain_text("Cut flags off a string")
        expect(ada.card("Garland").locator("svg .moves")).to_have_count(5)
        ada.open(ada.create_table("garland", {"kind": "me"}, {"kind": "bot", "level": "random"}))
        board = page.locator(".board .garland")
        for ply in (0, 2, 4):
            ada.wait_for_ply(ply)
            if not ada.updates[-1]["result"]:
                expect(page.get_by_role("heading", name="Cut off a flag")).to_be_visible()
                board.get_by_role("list", name="The string").get_by_role("button").first.click()
                board.get_by_role("button", name="Cut it off").click()
                ada.wait_for_ply(ply + 1)
                expect(page.get_by_text(re.compile("You cut off the .* flag")).first).to_be_visible()
        ada.wait_until(lambda: bool(ada.updates[-1]["result"]))
        ada.choose(language="de")
        expect(board.get_by_role("list", name="Die Leine")).to_be_visible()
        assert not ada.errors
        ada.context.close()
