"""Magnified two and four times: nothing is cut off, nothing but what must scrolls sideways, and all can be reached."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.finished_games import told
from tests.browser.languages import cut_off
from tests.browser.site_tour import everywhere
from tests.browser.user import ZOOMED, User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]

# Whatever takes the focus comes into view, and then nothing lies over it. A sheet on top has the page to itself.
COVERED = """() => {
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector(".over") ?? document;
    const found = [];
    for (const one of top.querySelectorAll("button, a[href], input, select, summary, [tabindex='0']")) {
        if (one.disabled || one.tabIndex < 0 || one.matches(".skip")) continue;
        if (!one.checkVisibility({ visibilityProperty: true })) continue;
        one.focus();
        if (document.activeElement !== one) continue;
        const box = one.getBoundingClientRect();
        const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
        const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
        const there = document.elementFromPoint(x, y);
        if (!there || !(one.contains(there) || there.contains(one) || there.closest("label")?.contains(one)))
            found.push(`${one.ariaLabel ?? one.textContent.trim()} under ${there?.outerHTML.slice(0, 80)}`);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Stories need not be good here, but soon told."""
    with ServerProcess(tmp_path_factory.mktemp("served"), "--story", "4") as running:
        yield running


@pytest.fixture(scope="module")
def replays(server: ServerProcess) -> list[str]:
    return [told(server.url, name) for name in ("rainbow", "nimble")]


def magnified(page: Page) -> list[str]:
    """List what is wrong with a page where it is."""
    across, wide = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
    wrong = [f"{across} px across, of {wide}"] if across > wide else []
    return [*wrong, *cut_off(page), *page.evaluate(COVERED)]


@pytest.mark.parametrize("zoom", [2, 4])
def test_everything_is_there_however_large(new_user: NewUser, replays: list[str], zoom: int) -> None:
    ada = new_user(plain=False, still=True, zoom=zoom)
    wrong: list[tuple[str, str]] = []
    for where in everywhere(ada, replays):
        assert ada.page.evaluate("innerWidth") == ZOOMED["width"] // zoom
        wrong += [(where, what) for what in magnified(ada.page)]
    assert wrong == [], "\n".join(map(str, wrong))
