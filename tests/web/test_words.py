"""Whatever the server may decline, and whatever Rainbow's rules refuse, the client can say, with what it is told."""

import json
import re
from pathlib import Path

from sevenhues.games.rainbow.notation import REFUSALS
from sevenhues.server.declined import REASONS

WEB = Path(__file__).parents[2] / "web/src"


def catalogue(path: str) -> dict[str, str]:
    messages: dict[str, str] = json.loads((WEB / path).read_text("utf-8"))
    return messages


def places(message: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[,}]", message))


def test_every_reason_to_decline_is_said() -> None:
    said = catalogue("app/messages/en.json")
    for key, reason in REASONS.items():
        assert f"problem.{key}" in said
        assert places(said[f"problem.{key}"]) <= places(reason.text), key


def test_every_refusal_of_rainbow_is_said() -> None:
    said = catalogue("games/rainbow/messages/en.json")
    for key, refusal in REFUSALS.items():
        assert f"refused.{key}" in said
        assert places(said[f"refused.{key}"]) <= places(refusal.text), key
