"""The weather's dial of Rainbow Road is drawn in its place, on a phone, in sun and in rain."""

import io

import pytest
from PIL import Image

from tests.browser.engines import boards
from tests.browser.engines.conftest import NewPage
from tests.browser.positions import ROAD
from tests.browser.prepared_tables import PreparedTables, find_position

# The centre of the dial, half the way to its edge as a share of the window's width, and the colour of its upper face.
DIAL_SCRIPT = """(weather) => {
    const box = document.querySelector(".coin").getBoundingClientRect();
    const colour = getComputedStyle(document.querySelector(`.coin .${weather}`)).backgroundColor;
    return [box.left + box.width / 2, box.top + box.height / 12, innerWidth, colour.match(/\\d+/g).map(Number)];
}"""


@pytest.mark.parametrize(("weather", "face"), [("sunny", "sun"), ("rainy", "rain")])
def test_weather_is_drawn_on_its_dial(new_page: NewPage, tables: PreparedTables, weather: str, face: str) -> None:
    page = new_page()
    page.resize(390, 844)
    boards.seat(tables, page, ROAD, find_position(ROAD, lambda view: view["turn"] == 0 and view["weather"] == weather))
    page.wait_for_count(".coin", 1)
    page.settle()
    x, y, width, expected = page.evaluate(DIAL_SCRIPT, face)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    scale = picture.width / width
    assert picture.getpixel((round(x * scale), round(y * scale))) == pytest.approx(expected, abs=8)
