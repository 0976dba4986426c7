"""The client has a message for every key that the server sends, with the parameters that are sent."""

import json
import re
from pathlib import Path

import pytest

from sevenhues import bots, load, names
from sevenhues.core.moves import GENERAL_REFUSALS
from sevenhues.core.options import option_text
from sevenhues.server.answers.statuses import STATUSES
from sevenhues.server.errors import MESSAGES

WEB = Path(__file__).parents[1] / "web/src"


def catalogue(folder: str) -> dict[str, str]:
    messages: dict[str, str] = json.loads((WEB / folder / "messages/en.json").read_text("utf-8"))
    return messages


def placeholders(message: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[,}]", message))


def keys_below(messages: dict[str, str], prefix: str) -> set[str]:
    return {key.removeprefix(prefix) for key in messages if key.startswith(prefix)}


def test_every_refusal_of_the_server_has_a_message_and_a_status() -> None:
    messages = catalogue("i18n")
    assert set(STATUSES) == set(MESSAGES)
    for key, message in MESSAGES.items():
        assert f"problem.{key}" in messages
        assert placeholders(messages[f"problem.{key}"]) <= placeholders(message.text), key
    assert {*GENERAL_REFUSALS, "notation"} <= keys_below(messages, "problem.")


@pytest.mark.parametrize("game", names())
def test_every_refusal_of_a_game_has_a_message(game: str) -> None:
    messages, refusals = catalogue(f"games/{game}"), load(game).refusals
    assert keys_below(messages, "refused.") == set(refusals)
    for key, refusal in refusals.items():
        assert placeholders(messages[f"refused.{key}"]) <= placeholders(refusal.text), key


@pytest.mark.parametrize("game", names())
def test_every_option_of_a_game_has_messages(game: str) -> None:
    expected: set[str] = set()
    for option in load(game).options:
        values = {f"{option.name}.{option_text(choice)}" for choice in option.choices}
        expected |= {option.name, f"{option.name}.about", *values}
    assert keys_below(catalogue(f"games/{game}"), "option.") == expected


@pytest.mark.parametrize("game", names())
def test_every_level_of_a_game_has_the_servers_text(game: str) -> None:
    app, own = catalogue("i18n"), catalogue(f"games/{game}")
    levels = bots.levels(load(game))
    for level in levels:
        assert f"level.{level.name}" in app
        key = f"level.{level.name}.about"
        assert own.get(key, app.get(key)) == level.about, f"{game}: the text of {level.name} must be translated again"
    assert keys_below(own, "level.") <= {f"{level.name}.about" for level in levels}
