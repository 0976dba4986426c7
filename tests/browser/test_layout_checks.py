"""The checks of a layout find planted faults on small pages, and none where things are nested, stacked or layered."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.layout_checks import layout_faults

BUTTON = '<button style="position: absolute; left: {x}px; top: {y}px; width: 80px; height: 40px">{name}</button>'
HEXAGON = "clip-path: polygon(50% 0, 100% 25%, 100% 75%, 50% 100%, 0 75%, 0 25%)"
BARE = '<button style="position: absolute; top: {y}px; padding: 15px; border: 0; background: none">{name}</button>'
SHEET = '<section style="position: absolute; inset: 20px 0 0; z-index: {z}; background: {ground}">Result</section>'


def button(name: str, x: int = 0, y: int = 0) -> str:
    return BUTTON.format(name=name, x=x, y=y)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 400, "height": 300})
    yield page
    page.close()


def faults_of(page: Page, body: str, wanted: str | None = None) -> list[str]:
    page.set_content(f'<!doctype html><body style="margin: 0; font: 16px/20px sans-serif">{body}</body>')
    return layout_faults(page, wanted)


FAULTS = {
    "two buttons": (button("One") + button("Two", 60, 20), ["overlap of 20×20 px", '"One"', '"Two"']),
    "a button over a text": (
        "<p style='margin: 0'>Some text</p>" + button("Over"),
        ["overlap", '"Some text"', '"Over"'],
    ),
    "two texts": (
        "<h2 style='margin: 0; height: 5px'>Heading</h2><p style='margin: 0'>Printed over it</p>",
        ["overlap", '"Heading"', '"Printed over it"'],
    ),
    "a bare button over a text": (
        f"<p style='margin: 20px 0 0'>Some text</p>{BARE.format(y=0, name='Learn')}",
        ["overlap", '"Some text"', '"Learn"'],
    ),
    "two bare buttons": (BARE.format(y=0, name="One") + BARE.format(y=30, name="Two"), ["overlap", '"One"', '"Two"']),
    "a text that leaves its box": (
        f"<div style='width: 60px; height: 20px; white-space: nowrap'>Much too long a text</div>{button('Next', 70)}",
        ["overlap", '"Much too long', '"Next"'],
    ),
    "a text cut off at the right": (
        "<div style='width: 50px; overflow: hidden; white-space: nowrap'>Much too long a text</div>",
        ["cut off at the right", '"Much too long'],
    ),
    "a button cut off at the bottom": (
        f"<div style='position: relative; height: 20px; overflow: clip'>{button('Low')}</div>",
        ["cut off at the bottom", '"Low"'],
    ),
    "a text over the line of its header": (
        "<header style='height: 30px; line-height: 22px; width: 60px'>Rainbow Road</header>",
        ["out of its header", '"Rainbow Road"'],
    ),
    "a chip that is dropped in part": (
        "<ul data-drops style='height: 30px; overflow: hidden; margin: 0'><li>One<li>Two<li>Three</ul>",
        ["cut off at the bottom", '"Two"'],
    ),
    "a button left of the page": (button("Gone", -60), ["beside the page", '"Gone"']),
    "a page that scrolls sideways": ("<div style='width: 500px; height: 5px'></div>", ["500 px wide", "400"]),
    "a scroll area without room": (
        "<ol style='height: 10px; overflow: auto; margin: 0'><li>One<li>Two<li>Three</ol>",
        ["only 10 px tall to scroll in"],
    ),
    "a sheet that does not hide": (
        f"{button('Under', 0, 10)}{SHEET.format(z=1, ground='transparent')}",
        ["overlap", '"Under"', '"Result"'],
    ),
    "a board over its sheet": (
        f"<div style='position: relative; z-index: 2'>{button('Leaks', 0, 15)}</div>"
        + SHEET.format(z=1, ground="white"),
        ["overlap", '"Leaks"', '"Result"'],
    ),
    "hexagons that are too near": (
        f"<button style='position: absolute; width: 80px; height: 80px; {HEXAGON}'>One</button>"
        f"<button style='position: absolute; left: 40px; width: 80px; height: 80px; {HEXAGON}'>Two</button>",
        ["overlap", '"One"', '"Two"'],
    ),
    "a covered card of a stack": (
        f"<ul data-stacked>{button('Under')}{button('Over')}</ul>",
        ["covered", '"Under"'],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_planted_fault_is_found(page: Page, name: str) -> None:
    body, expected = FAULTS[name]
    faults = faults_of(page, body)
    assert len(faults) == 1, faults
    assert all(part in faults[0] for part in expected), faults


SOUND = {
    "nested controls and texts": "<label>Name <input></label><button>Play <b>now</b> <kbd>P</kbd></button>",
    "neighbours": button("One") + button("Two", 80) + button("Three", 0, 40),
    "a bare button whose room reaches a text": f"<p style='margin: 40px 0 0'>Text</p>{BARE.format(y=0, name='Learn')}",
    "a stack of cards": f"<ul data-stacked>{button('One')}{button('Two', 20)}{button('Three', 40)}</ul>",
    "a sheet over a board": f"{button('Under', 0, 15)}{SHEET.format(z=1, ground='white')}",
    "a bar that sticks to the window": (
        "<p>Scrolls under the bar</p><div style='height: 900px'></div>"
        "<footer style='position: fixed; inset: 0 0 auto; height: 40px; background: white'>Bar</footer>"
    ),
    "an open dialog": "<button>Under</button><dialog>Text</dialog>"
    "<script>document.querySelector('dialog').showModal()</script>",
    "hidden elements": f"{button('One')}<div style='visibility: hidden'>{button('Two')}</div>"
    f"<div style='opacity: 0'>{button('Three')}</div><div hidden>{button('Four')}</div>",
    "a row of chips that drops what does not fit": (
        "<ul data-drops style='height: 20px; overflow: hidden; margin: 0'><li>One<li>Two<li>Three</ul>"
    ),
    "what scrolls": "<div style='height: 60px; overflow: auto'><p>One<p>Two<p>Three<p>Four</div><button>Below</button>",
    "the letters of a picture": "<svg role='img' aria-label='Cards' width='80' height='40'>"
    "<text y='20'>A</text><text y='20'>B</text></svg>",
    "an area that closes by a press anywhere": (
        f"{button('Go on')}<button aria-hidden='true' tabindex='-1' style='position: absolute; inset: 0'></button>"
    ),
    "hexagons side by side": (
        f"<button style='position: absolute; width: 80px; height: 80px; {HEXAGON}'>One</button>"
        f"<button style='position: absolute; left: 40px; top: 60px; width: 80px; height: 80px; {HEXAGON}'>Two</button>"
    ),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_layout_has_no_fault(page: Page, name: str) -> None:
    assert faults_of(page, SOUND[name]) == []


def test_action_below_the_window_or_covered_is_found(page: Page) -> None:
    cover = "<div style='position: absolute; inset: 0 0 auto; height: 50px'></div>"
    below = button("Below", 0, 280)
    disabled = "<button disabled style='position: absolute; top: 900px'>Later</button>"
    assert faults_of(page, below + disabled, "button") == ['out of view without scrolling: button "Below"']
    assert faults_of(page, button("Hidden") + cover, "button") == ['covered: button "Hidden"']
    assert faults_of(page, button("Here"), "button") == []
    scrolled = "<div style='height: 60px; overflow: auto'><div style='height: 100px'></div><button>Down</button></div>"
    assert faults_of(page, scrolled, "button") == ['out of view without scrolling: button "Down"']
