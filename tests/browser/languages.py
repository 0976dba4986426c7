"""The languages of the client as the tests know them: their messages, and texts that a page in one never shows."""

import json
import re
from functools import cache
from pathlib import Path

WEB = Path(__file__).parents[2] / "web/src"
ENGLISH = "en"
LANGUAGES = sorted(path.stem for path in (WEB / "i18n/messages").glob("*.json"))
PAGES = [WEB / "i18n/messages", *sorted(WEB.glob("pages/*/messages"))]  # what the first page says, and the others
CATALOGUES = [*PAGES, WEB / "offline/messages", *sorted(WEB.glob("games/*/messages"))]
PLACE = re.compile(r"\{\w+[,}]")  # a placeholder that was not filled in


def messages(tag: str) -> dict[str, str]:
    """Return the messages of the pages in a language."""
    return {key: text for folder in PAGES for key, text in _catalogue(folder, tag).items()}


def offline_messages(tag: str) -> dict[str, str]:
    """Return the messages about offline play in a language."""
    return _catalogue(WEB / "offline/messages", tag)


def _catalogue(folder: Path, tag: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((folder / f"{tag}.json").read_text("utf-8"))
    return texts


@cache
def forbidden_texts(tag: str) -> frozenset[str]:
    """Return what a page in a language never shows: keys, and English that the language says otherwise."""
    catalogues = [[_catalogue(folder, each) for each in (ENGLISH, tag)] for folder in CATALOGUES]
    own = {text for _, other in catalogues for text in other.values()}
    keys = {key for english, _ in catalogues for key in english if "." in key}
    texts = {text for english, _ in catalogues for text in english.values() if not PLACE.search(text) and len(text) > 2}
    return frozenset(keys | (texts - own))
