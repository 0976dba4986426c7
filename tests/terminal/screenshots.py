"""Take screenshots of every game in the terminal, in two sizes, with and without colour, and of the other screens.

`make screenshots` writes them as SVG and PNG, beside those of the browser; `make pictures` writes the one in the docs.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from sevenhues import load, names
from sevenhues.terminal.app import TerminalApp
from sevenhues.terminal.local import LocalSession
from tests.browser.conftest import CHROMIUM, FLAGS
from tests.terminal.sessions import local_session, running_app, started_record

SIZES = {"small": (80, 24), "large": (120, 40)}
PLIES = {"flip-and-slide": 14, "nimble": 43, "rainbow": 20, "rainbow-road": 17}
FONT = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def waiting_session(name: str, players: list[str], plies: int = 0) -> LocalSession:
    """Start a session whose bots do not move, so that screenshots are the same every time."""
    return local_session(started_record(load(name), players, plies), bot_delay_seconds=1000.0)


async def screenshots() -> AsyncIterator[tuple[str, str]]:
    """Yield the name and the SVG of every screenshot."""
    players = ["you", "bot:player"]
    for size, cells in SIZES.items():
        for name in names():
            for keys in ((), ("tab",)):
                session = waiting_session(name, players, PLIES.get(name, 0))
                async with running_app(session, cells) as (app, pilot):
                    await pilot.press(*keys)
                    yield f"terminal-{name}-{'board-' if keys else ''}{size}", _export_svg(app)
        for screen, key in (("rules", "f1"), ("quit", "ctrl+q")):
            async with running_app(waiting_session("rainbow", players), cells) as (app, pilot):
                await pilot.press(key)
                await pilot.pause(1.0)
                yield f"terminal-{screen}-{size}", _export_svg(app)
        async with running_app(waiting_session("rainbow", ["Ada", "Ben"]), cells) as (app, _):
            yield f"terminal-curtain-{size}", _export_svg(app)
    os.environ["NO_COLOR"] = "1"
    for name in names():
        session = waiting_session(name, players, PLIES.get(name, 0))
        async with running_app(session, SIZES["small"]) as (app, _):
            yield f"terminal-{name}-plain", _export_svg(app)
    del os.environ["NO_COLOR"]


def _export_svg(app: TerminalApp) -> str:
    return app.export_screenshot().replace("Fira Code", FONT)


async def write_files(browser: Browser, folder: Path, only: str | None) -> None:
    page = await browser.new_page(device_scale_factor=1 if only else 2)
    async for name, svg in screenshots():
        if only is None:
            (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
        elif only != name:
            continue
        await page.set_content(f"<body style='margin:0'><div style='width:1000px'>{svg}</div></body>")
        await page.locator("svg").screenshot(path=folder / f"{name}.png", omit_background=True)


async def main(folder: Path, only: str | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        await write_files(browser, folder, only)
        await browser.close()
    print(f"{len(list(folder.glob('terminal-*.png')))} screenshots of the terminal are in {folder}/")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
