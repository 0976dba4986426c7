"""Takes a picture of every game in the terminal, small and large, with and without colour, and of the screens over it.

`make screenshots` writes them, as SVG and as PNG, beside those of the browser; `make pictures` the documents' one.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from sevenhues import load, names
from sevenhues.terminal.app import Terminal
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.terminal.sessions import local_session, running_app, started_record

SIZES = {"small": (80, 24), "large": (120, 40)}
MOMENTS = {"flip-and-slide": 14, "nimble": 43, "rainbow": 20, "rainbow-road": 17}  # plies
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"


async def states() -> AsyncIterator[tuple[str, str]]:
    """Yield every state worth a picture, as SVG."""
    for size, cells in SIZES.items():
        for name in names():
            people = ["you", "bot:player"]
            for keys in ((), ("tab",)):
                sitting = local_session(started_record(load(name), people, MOMENTS.get(name, 0)), pause=1000.0)
                async with running_app(sitting, cells) as (app, pilot):
                    await pilot.press(*keys)
                    yield f"terminal-{name}-{'board-' if keys else ''}{size}", _taken(app)
        for what, key in (("rules", "f1"), ("quit", "ctrl+q")):
            async with running_app(
                local_session(started_record(load("rainbow"), ["you", "bot:player"]), pause=1000.0), cells
            ) as (
                app,
                pilot,
            ):
                await pilot.press(key)
                await pilot.pause(1.0)
                yield f"terminal-{what}-{size}", _taken(app)
        async with running_app(local_session(started_record(load("rainbow"), ["Ada", "Ben"])), cells) as (app, _):
            yield f"terminal-curtain-{size}", _taken(app)
    os.environ["NO_COLOR"] = "1"
    for name in names():
        sitting = local_session(started_record(load(name), ["you", "bot:player"], MOMENTS.get(name, 0)), pause=1000.0)
        async with running_app(sitting, SIZES["small"]) as (app, _):
            yield f"terminal-{name}-plain", _taken(app)
    del os.environ["NO_COLOR"]


def _taken(app: Terminal) -> str:
    return app.export_screenshot().replace("Fira Code", FONT)


async def photograph(browser: Browser, folder: Path, only: str | None) -> None:
    page = await browser.new_page(device_scale_factor=1 if only else 2)
    async for name, picture in states():
        if only is None:
            (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
        elif only != name:
            continue
        await page.set_content(f"<body style='margin:0'><div style='width:1000px'>{picture}</div></body>")
        await page.locator("svg").screenshot(path=folder / f"{name}.png", omit_background=True)


async def main(folder: Path, only: str | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        await photograph(browser, folder, only)
        await browser.close()
    print(f"{len(list(folder.glob('terminal-*.png')))} pictures of the terminal in {folder}/")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
