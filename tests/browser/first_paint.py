"""Measure when the home page shows its largest part, with a processor four times slower, at every size of window.

`python -m tests.browser.first_paint [visits]` prints for each window the largest paint, the first paint and the layout
shift of several first visits, each in a fresh browser context.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.display import WINDOWS
from tests.server.process import ServerProcess

SLOWER = 4
VISITS = 5
OBSERVE = """
window.paints = {largest: 0, shift: 0}
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.paints.largest = one.startTime })
    .observe({type: "largest-contentful-paint", buffered: true})
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.paints.shift += one.value })
    .observe({type: "layout-shift", buffered: true})
"""
READ = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve({
    ...window.paints, first: performance.getEntriesByName("first-contentful-paint")[0].startTime}))))"""


def visit(browser: Browser, url: str, width: int, height: int) -> dict[str, Any]:
    """Open the home page for the first time and return its paint times in milliseconds."""
    context = browser.new_context(viewport={"width": width, "height": height})
    try:
        page = context.new_page()
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(OBSERVE)
        page.goto(url, wait_until="networkidle")
        times: dict[str, Any] = page.evaluate(READ)
        return times
    finally:
        context.close()


def main(visits: int) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, (width, height) in WINDOWS.items():
            times = [visit(browser, server.url, width, height) for _ in range(visits)]
            largest = [one["largest"] for one in times]
            print(
                f"{name:>9}  largest paint {median(largest):4.0f} ms (slowest {max(largest):4.0f})"
                f"  first paint {median(one['first'] for one in times):4.0f} ms"
                f"  layout shift {max(one['shift'] for one in times):.3f}",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else VISITS)
