"""The content of messages: the kind, the game, the names of the others, and a link. Nothing of the cards."""

import json
from functools import cache
from pathlib import Path

import msgspec

from sevenhues.server.notifications.notices import Kind
from sevenhues.server.table.state import Table

LANGUAGES = ("en", "nl", "de", "ja")
MAX_NAMES = 6  # in a message, so that it fits into a record
FOLDER = Path(__file__).parent / "messages"


class Notification(msgspec.Struct):
    """A message about a table, as a browser gets it: the texts to show, and where a click leads."""

    kind: Kind
    table: str
    game: str
    opponents: list[str]
    link: str
    title: str
    text: str


@cache
def texts(language: str) -> dict[str, str]:
    """Return the sentences of a language; English if there are none in it."""
    name = language if language in LANGUAGES else LANGUAGES[0]
    catalogue: dict[str, str] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return catalogue


def notification(table: Table, kind: Kind, user_id: str, language: str) -> Notification:
    """Return a message for a user about a table. It follows from the game's name, the seats' names and the id alone."""
    opponents = list(dict.fromkeys(table.names_of_others(user_id)))[:MAX_NAMES]
    words = texts(language)
    separator = "、" if language == "ja" else ", "
    title = table.game.title
    text = words["with"].format(game=title, names=separator.join(opponents)) if opponents else title
    return Notification(kind, table.id, table.game.id, opponents, f"/t/{table.id}", words[kind], text)
