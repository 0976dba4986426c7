"""Pictures of the states of `states.py` in all three engines, side by side.

`python -m tests.browser.engines.pictures FOLDER --size 390x844 --theme dark --language ja`
"""

import argparse
import io
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, SERVER_OPTIONS
from tests.browser.engines import webdriver
from tests.browser.engines.chromium import ChromiumEngine
from tests.browser.engines.gateway import Gateway
from tests.browser.engines.page import HEIGHT, WIDTH, Engine
from tests.browser.engines.states import Visit, states, upload_replays
from tests.browser.languages import ENGLISH, LANGUAGES
from tests.server.process import ServerProcess


def take(folder: Path, size: tuple[int, int], theme: str, language: str) -> list[str]:
    """Write a picture of each state, and return the errors of all pages."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack, tempfile.TemporaryDirectory() as scratch:
        server = stack.enter_context(ServerProcess(Path(scratch) / "data", *SERVER_OPTIONS))
        playwright = stack.enter_context(sync_playwright())
        engines: list[Engine] = [
            ChromiumEngine(playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)),
            stack.enter_context(webdriver.firefox(Path(scratch))),
            stack.enter_context(webdriver.webkit(Path(scratch))),
        ]
        replays = upload_replays(server)
        pages = [engine.new_page(stack.enter_context(Gateway(server.port))) for engine in engines]
        for page in pages:
            page.resize(*size)
            page.open()
            page.settle()
            page.choose(theme=theme, language=language)
        visits = [states(page, Visit(server), replays, language) for page in pages]
        for number, (name, *_) in enumerate(zip(*visits, strict=True), 1):
            pictures = [Image.open(io.BytesIO(page.screenshot())) for page in pages]
            sheet = Image.new("RGB", (sum(picture.width for picture in pictures), size[1]))
            for at, picture in enumerate(pictures):
                sheet.paste(picture, (at * size[0], 0))
            sheet.save(folder / f"{number:02} {name.strip('/').replace('/', ' ') or 'home'}.png")
        errors = [error for page in pages for error in page.errors()]
        for page in pages:
            page.close()
        return errors


def main() -> int:
    parser = argparse.ArgumentParser(description="Take pictures of 22 states in Chromium, Firefox and WebKit.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--size", default=f"{WIDTH}x{HEIGHT}", help="of the page, such as 390x844")
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--language", choices=LANGUAGES, default=ENGLISH)
    given = parser.parse_args()
    width, _, height = given.size.partition("x")
    errors = take(given.folder, (int(width), int(height)), given.theme, given.language)
    print("\n".join(errors))
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
