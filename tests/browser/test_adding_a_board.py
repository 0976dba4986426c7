"""A reader of docs/adding-a-board.md gets a board: its folder is added, the client is built, and a game is played.

The board fits every window, and the checks of the client pass with it: nothing else has to change.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import sevenhues
from tests.browser.display import WINDOWS
from tests.browser.layout_checks import ACTIONS, layout_faults
from tests.browser.user import User
from tests.outside import tutorial
from tests.server.process import ServerProcess

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/adding-a-board.md"
FOLDER = "web/src/games/garland"


def write(folder: Path) -> list[str]:
    """Write the files of the page into a folder and return their names."""
    files = dict(tutorial.FILE.findall(PAGE.read_text(encoding="utf-8")))
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return list(files)


def add_board(folder: Path) -> Path:
    """Copy the client's sources with the board of the page, and return their folder."""
    web = folder / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(ROOT / ".editorconfig", folder)
    (web / "node_modules").symlink_to((ROOT / "web/node_modules").resolve())
    written = write(folder)
    assert all(name.startswith(f"{FOLDER}/") for name in written), written
    return web


def run_script(web: Path, name: str) -> None:
    """Run a script of the client's package.json, as npm does."""
    script = json.loads((web / "package.json").read_text("utf-8"))["scripts"][name]
    path = os.pathsep.join([str(web / "node_modules/.bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(script, shell=True, cwd=web, env=os.environ | {"PATH": path}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def build(folder: Path) -> Path:
    """Build the client with the board of the page into a copy of the package; return the folder to import it from."""
    package = Path(sevenhues.__file__).parent
    shutil.copytree(package, folder / "src/sevenhues", ignore=shutil.ignore_patterns("web", "__pycache__"))
    run_script(add_board(folder), "build")
    return folder / "src"


@pytest.mark.long
@pytest.mark.parametrize("script", ["check", "lint", "test"])
def test_checks_of_the_client_pass_with_the_board_of_the_page(tmp_path: Path, script: str) -> None:
    run_script(add_board(tmp_path), script)


def check_windows(user: User, windows: list[tuple[int, int]]) -> None:
    """Check that the board fits these windows, with its actions in view."""
    for width, height in windows:
        user.page.set_viewport_size({"width": width, "height": height})
        assert (width, height, layout_faults(user.ready(), ACTIONS)) == (width, height, [])


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
                cut = board.get_by_role("button", name="Cut it off")
                expect(cut).to_be_visible()
                check_windows(ada, list(WINDOWS.values()) if ply == 0 else [])
                cut.click()
                ada.wait_for_ply(ply + 1)
                expect(page.get_by_text(re.compile("You cut off the .* flag")).first).to_be_visible()
        ada.wait_until(lambda: bool(ada.updates[-1]["result"]))
        ada.choose(language="de")
        expect(board.get_by_role("list", name="Die Leine")).to_be_visible()
        assert not ada.errors
        ada.context.close()
