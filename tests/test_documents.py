"""Documents are correct: their Python runs, their commands exist, their links resolve."""

import doctest
import re
from pathlib import Path

import pytest

import sevenhues
from sevenhues.core.resources import rules_languages, rules_text
from tests.cli.command import invoke

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(ROOT.glob("*.md"))
PAGES = sorted((ROOT / "docs").glob("*.md"))
MADE = ("rules/", "command.md", "architecture.md")  # pages that only the site has: building it finds what is not there
CREDITS = {
    "rainbow": ("Mathias Spaan", "Piatnik", "999 Games"),
    "rainbow-road": ("TAQ", "Dashimakitei"),
    "nimble": ("Peter Jürgensen", "Edition Spielwiese"),
    "flip-and-slide": ("Rainbow Rabbits Games",),
}


def test_python_examples_of_the_readme_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 8) == (0, True)


def test_python_examples_of_the_python_page_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False)
    assert (failed, tried > 20) == (0, True)


def test_python_examples_of_the_package_docstring_run() -> None:
    failed, tried = doctest.testmod(sevenhues)
    assert (failed, tried > 3) == (0, True)


@pytest.mark.slow
def test_commands_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"^sevenhues (.*?)(?:   .*)?$", text, re.MULTILINE)
    assert len(lines) > 6
    for line in lines:
        words = [name for word in line.split() for name in expanded(word, tmp_path)]
        done = invoke(*words, stdin="q\n")
        assert done.returncode == 0, (line, done.stderr)


def expanded(word: str, folder: Path) -> list[str]:
    """Do what a shell does with a star."""
    return sorted(map(str, folder.glob(word))) if "*" in word else [word]


def test_make_targets_named_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for document in DOCUMENTS:
        named = set(re.findall(r"`?make ([a-z-]+)\b(?= |`|$)", document.read_text(encoding="utf-8"), re.MULTILINE))
        assert {name for name in named if f"`make {name}`" in document.read_text(encoding="utf-8")} <= targets


@pytest.mark.parametrize("name", sevenhues.names())
def test_rules_credit_their_authors_in_every_language(name: str) -> None:
    game = sevenhues.load(name)
    for tag in rules_languages(game):
        section = rules_text(game, tag).rsplit("\n## ", 1)[1]
        assert [who for who in CREDITS[name] if who not in section] == []
    assert "unofficial" in " ".join(rules_text(game).rsplit("\n## Credits", 1)[1].split())


@pytest.mark.parametrize("document", ["README.md", "docs/credits.md"])
def test_documents_credit_the_authors_and_say_unofficial(document: str) -> None:
    text = " ".join((ROOT / document).read_text(encoding="utf-8").split())
    assert [who for names in CREDITS.values() for who in names if who not in text] == []
    assert re.search("unofficial implementation.* no art and no text of theirs", text)


def test_readme_shows_a_picture_under_150_kb_of_every_game() -> None:
    shown = re.findall(r"!\[[^]]+\]\((docs/pictures/([\w-]+)\.png)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert sorted(name for _, name in shown) == sorted(sevenhues.names())
    assert max((ROOT / path).stat().st_size for path, _ in shown) < 150_000


@pytest.mark.parametrize("document", [*DOCUMENTS, *PAGES], ids=lambda path: str(path.name))
def test_relative_links_lead_to_existing_files(document: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    links = [link for link in links if not (document in PAGES and link.startswith(MADE))]
    assert not [link for link in links if not (document.parent / link).exists()]


def test_every_promise_of_the_server_names_a_test() -> None:
    promises = (ROOT / "docs/server.md").read_text("utf-8").partition("## Promises")[2].partition("\n## ")[0]
    named = re.findall(r"`(test_\w+)`", promises)
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 30
    assert [name for name in named if f"def {name}(" not in tests] == []
