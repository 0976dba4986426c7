"""The documentation site: it builds without a warning, shows what its sources say, and asks nobody for anything."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sevenhues
from sevenhues.cli import app
from tests.test_languages import marks

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(sevenhues.COMPILED, reason="the site is built once, over the plain package")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        build, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True
    )
    assert (done.returncode, "WARNING" in done.stderr) == (0, False), done.stderr
    return folder


class Fetched(HTMLParser):
    """Collects what a browser would fetch to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        loads = tag == "link" and given.get("rel") not in ("canonical", "next", "prev")
        self.found += [given["href"] or ""] if loads and "href" in given else []
        self.found += [given["src"] or ""] if "src" in given else []


def fetched(page: Path) -> Iterator[str]:
    reader = Fetched()
    reader.feed(page.read_text(encoding="utf-8"))
    yield from reader.found


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 30
    assets = {asset for page in pages for asset in fetched(page)}
    assert len(assets) > 10
    assert not [asset for asset in assets if re.match(r"\w+:|//", asset)]
    styles = "".join(file.read_text(encoding="utf-8") for file in site.rglob("*.css"))
    assert not re.findall(r"url\([\"']?(?:https?:)?//[^)]*\)|@import[^;]*", styles)


def test_every_rule_has_an_anchor_and_every_ruling_is_listed(site: Path) -> None:
    listed = (site / "rules/index.html").read_text(encoding="utf-8")
    for name in sevenhues.names():
        told = sevenhues.load(name).rules()
        for suffix in ("", ".nl", ".de", ".ja"):
            page = (site / f"rules/{name}{suffix}.html").read_text(encoding="utf-8")
            assert re.findall(r'<strong id="([A-Z]+-\d+)', page) == re.findall(
                r"^- \*\*([A-Z]+-\d+)", told, re.MULTILINE
            )
        ruled = sum(1 if "h" in how else len(how) for _, how in marks(told, "ruling"))
        assert len(re.findall(rf'href="{name}\.html#[A-Z]+-\d+"', listed)) == ruled > 3
        for option in sevenhues.load(name).options:
            assert f"<code>{option.name}</code>" in listed


def test_the_manual_is_the_commands_own(site: Path) -> None:
    manual = (site / "command.html").read_text(encoding="utf-8")
    assert re.findall(r"<h3 [^>]*>([\w-]+)<", manual) == [one.name for room in app.rooms.values() for one in room]
    assert "Let bots play GAME against each other" in manual


def test_lists_and_tables_of_other_documents_are_lists_and_tables_here(site: Path) -> None:
    """Markdown is not everywhere the same: what GitHub takes for a list must be one here, too."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for paragraph in re.findall(r"<p>(.*?)</p>", text, re.DOTALL):
            assert not re.findall(r"^(?:- |\||\d+\. ).*", paragraph, re.MULTILINE), (page.name, paragraph)
