"""The list of a page's errors: an error of each kind gets into it, in every engine."""

from pathlib import Path

from tests.browser.engines.conftest import NewPage
from tests.browser.engines.page import EnginePage

PLANTED_ERRORS = Path(__file__).with_name("planted_errors.js").read_bytes()
# What is noted of each error.
NOTES = {
    "exception": "planted exception",
    "rejection": "planted rejection",
    "message": "planted message 7",
    "inlineScript": "blocked by the policy: script-src",
    "inlineStyle": "blocked by the policy: style-src",
    "foreignImage": "blocked by the policy: img-src",
    "foreignRequest": "blocked by the policy: connect-src",
    "missingScript": "not loaded: ",
    "refusedRequest": "answered with 404: GET /api/tables/",
}
LOAD_SCRIPT = """(path) => new Promise((resolve) => {
    const script = document.createElement("script");
    script.onload = resolve;
    script.src = path;
    document.head.append(script);
}).then(() => true)"""


def test_error_of_each_kind_is_noted_also_without_a_connection(new_page: NewPage) -> None:
    page = new_page()
    page.gateway.files["/planted-errors.js"] = PLANTED_ERRORS
    page.open()
    page.settle()
    page.evaluate(LOAD_SCRIPT, "/planted-errors.js")
    assert page.errors() == []
    for name, note in NOTES.items():
        plant(page, name, note)
    page.gateway.cut()
    page.gateway.errors.clear()
    plant(page, "message", NOTES["message"])
    page.evaluate("() => { window.unsentErrors.length = 0; }")


def plant(page: EnginePage, name: str, note: str) -> None:
    """Make an error, and wait until it is noted."""
    page.evaluate("(name) => void window.plantError[name]()", name)
    page.wait_for_error(note)
