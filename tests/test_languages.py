"""Translated rules have the same rules in the same order, with rulings marked the same way."""

import json
import re
from pathlib import Path

import pytest

from sevenhues import load, names
from sevenhues.core.resources import ENGLISH, rules_text
from tests.cli.command import invoke

RULING = {"en": "ruling", "nl": "uitleg", "de": "Auslegung", "ja": "裁定"}
OTHERS = [tag for tag in RULING if tag != ENGLISH]
MESSAGES = Path(__file__).parents[1] / "web/src/i18n/messages"


def marks(text: str, ruling: str) -> list[tuple[str, str]]:
    """Return the rules, each with the marks of rulings: h for one in its head, t for each in its text."""
    parts = re.split(r"^- (?=\*\*[A-Z]+-\d)", text.split("\n## ", 1)[1], flags=re.MULTILINE)[1:]
    rules = []
    for part in parts:
        head = re.match(rf"\*\*([A-Z]+-\d+)( {ruling})?\*\*", part)
        assert head, part[:40]
        rules.append((head[1], "h" * bool(head[2]) + "t" * part.count(f"**{ruling}**")))
    return rules


def codes(text: str) -> list[str]:
    """Return the code spans that are the same in every language: moves, options, reasons, cells."""
    return sorted(code for code in re.findall(r"`([^`]+)`", text) if not re.search(r"[<…]", code))


@pytest.mark.parametrize("tag", OTHERS)
@pytest.mark.parametrize("name", names())
def test_translated_rules_have_the_same_ids_rulings_codes_and_sections(name: str, tag: str) -> None:
    english, other = rules_text(load(name)), rules_text(load(name), tag)
    assert english != other
    assert marks(other, RULING[tag]) == marks(english, RULING[ENGLISH])
    assert codes(other) == codes(english)
    assert len(re.findall("^## ", other, re.MULTILINE)) == len(re.findall("^## ", english, re.MULTILINE))
    assert re.findall(r"^\|---.*", other, re.MULTILINE) == re.findall(r"^\|---.*", english, re.MULTILINE)


def test_missing_rule_or_changed_ruling_mark_is_detected() -> None:
    good = "# A\n\n## B\n- **X-1** a\n- **X-2 ruling** b **ruling** c\n"
    assert marks(good, "ruling") == [("X-1", ""), ("X-2", "ht")]
    assert marks(good.replace("- **X-1** a\n", ""), "ruling") == [("X-2", "ht")]
    assert marks(good.replace(" **ruling** c", ""), "ruling") == [("X-1", ""), ("X-2", "h")]
    assert marks(good.replace("**X-1**", "**X-3**"), "ruling")[0] == ("X-3", "")


@pytest.mark.parametrize("tag", RULING)
def test_client_and_rules_mark_rulings_with_the_same_word(tag: str) -> None:
    messages = json.loads((MESSAGES / f"{tag}.json").read_text("utf-8"))
    assert messages["rules.ruling"] == RULING[tag]


@pytest.mark.parametrize("tag", ["xx", "EN", "", "../nl", "nl\0", "n" * 1000])
def test_rules_without_a_translation_are_english(tag: str) -> None:
    assert rules_text(load("rainbow"), tag) == rules_text(load("rainbow"))


def test_rules_command_prints_the_rules_in_a_language() -> None:
    assert invoke("rules", "nimble", "--language", "ja").stdout == rules_text(load("nimble"), "ja")
