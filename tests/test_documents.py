"""What the documents say is true: their Python runs, their commands exist, their links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

import sevenhues
from tests.cli.command import sevenhues as command

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(ROOT.glob("*.md"))


def test_the_python_of_the_readme_runs_as_it_stands() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 8) == (0, True)


def test_the_package_shows_how_to_begin() -> None:
    failed, tried = doctest.testmod(sevenhues)
    assert (failed, tried > 3) == (0, True)


def test_the_commands_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"^sevenhues (.*?)(?:   .*)?$", text, re.MULTILINE)
    assert len(lines) > 6
    for line in lines:
        words = [name for word in line.split() for name in expanded(word, tmp_path)]
        done = command(*words, stdin="q\n")
        assert done.returncode == 0, (line, done.stderr)


def expanded(word: str, folder: Path) -> list[str]:
    """Do what a shell does with a star."""
    return sorted(map(str, folder.glob(word))) if "*" in word else [word]


def test_make_targets_named_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for document in DOCUMENTS:
        named = set(re.findall(r"`?make ([a-z]+)\b(?= |`|$)", document.read_text(encoding="utf-8"), re.MULTILINE))
        assert {name for name in named if f"`make {name}`" in document.read_text(encoding="utf-8")} <= targets


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.name))
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8"))
    assert not [link for link in links if not (ROOT / link).exists()]
