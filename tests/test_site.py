"""The documentation site builds without a warning, shows what its sources say and fetches nothing from elsewhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sevenhues
from sevenhues.cli import app
from sevenhues.core.resources import rules_text
from tests.test_languages import marks

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        build, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True
    )
    assert (done.returncode, "WARNING" in done.stderr) == (0, False), done.stderr
    return folder


class Assets(HTMLParser):
    """Collects the addresses that a browser fetches to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        loads = tag == "link" and attributes.get("rel") not in ("canonical", "next", "prev")
        self.addresses += [attributes["href"] or ""] if loads and "href" in attributes else []
        self.addresses += [attributes["src"] or ""] if "src" in attributes else []


def assets_of(page: Path) -> list[str]:
    parser = Assets()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser.addresses


def test_site_pages_fetch_nothing_from_other_hosts(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 30
    assets = {asset for page in pages for asset in assets_of(page)}
    assert len(assets) > 10
    assert not [asset for asset in assets if re.match(r"\w+:|//", asset)]
    styles = "".join(file.read_text(encoding="utf-8") for file in site.rglob("*.css"))
    assert not re.findall(r"url\([\"']?(?:https?:)?//[^)]*\)|@import[^;]*", styles)


def test_every_rule_has_an_anchor_and_every_ruling_is_listed(site: Path) -> None:
    listed = (site / "rules/index.html").read_text(encoding="utf-8")
    for name in sevenhues.names():
        rules = rules_text(sevenhues.load(name))
        for suffix in ("", ".nl", ".de", ".ja"):
            page = (site / f"rules/{name}{suffix}.html").read_text(encoding="utf-8")
            assert re.findall(r'<strong id="([A-Z]+-\d+)', page) == re.findall(
                r"^- \*\*([A-Z]+-\d+)", rules, re.MULTILINE
            )
        ruled = sum(1 if "h" in how else len(how) for _, how in marks(rules, "ruling"))
        assert len(re.findall(rf'href="{name}\.html#[A-Z]+-\d+"', listed)) == ruled > 3
        for option in sevenhues.load(name).options:
            assert f"<code>{option.name}</code>" in listed


def test_site_manual_lists_the_commands_of_the_program(site: Path) -> None:
    manual = (site / "command.html").read_text(encoding="utf-8")
    names = [command.name for commands in app.command_sections.values() for command in commands]
    assert re.findall(r"<h3 [^>]*>([\w-]+)<", manual) == names
    assert "Play matches of GAME between bots" in manual


def test_no_list_or_table_is_rendered_as_a_paragraph(site: Path) -> None:
    """Dialects of Markdown differ: what GitHub renders as a list must be one here, too."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for paragraph in re.findall(r"<p>(.*?)</p>", text, re.DOTALL):
            assert not re.findall(r"^(?:- |\||\d+\. ).*", paragraph, re.MULTILINE), (page.name, paragraph)
