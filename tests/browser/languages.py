"""The languages of the client as the tests know them: their messages, and texts that a page in one never shows."""

import json
import re
from functools import cache
from pathlib import Path

WEB = Path(__file__).parents[2] / "web/src"
ENGLISH = "en"
LANGUAGES = sorted(path.stem for path in (WEB / "i18n/messages").glob("*.json"))
CATALOGUES = [WEB / "i18n/messages", *sorted(WEB.glob("games/*/messages"))]
PLACE = re.compile(r"\{\w+[,}]")  # a placeholder that was not filled in


def messages(tag: str) -> dict[str, str]:
    """Return the shell's messages in a language."""
    texts: dict[str, str] = json.loads((WEB / "i18n/messages" / f"{tag}.json").read_text("utf-8"))
    return texts


@cache
def forbidden_texts(tag: str) -> frozenset[str]:
    """Return what a page in a language never shows: keys, and English that the language says otherwise."""
    catalogues = [
        [json.loads((folder / f"{each}.json").read_text("utf-8")) for each in (ENGLISH, tag)] for folder in CATALOGUES
    ]
    own = {text for _, other in catalogues for text in other.values()}
    keys = {key for english, _ in catalogues for key in english if "." in key}
    texts = {text for english, _ in catalogues for text in english.values() if not PLACE.search(text) and len(text) > 2}
    return frozenset(keys | (texts - own))
