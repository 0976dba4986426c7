"""The client has a message for everything the server sends by key, and fills it with parameters that are sent."""

import json
import re
from pathlib import Path

import pytest

from sevenhues import bots, load, names
from sevenhues.core.game import GENERAL_REFUSALS, option_text
from sevenhues.server.errors import REASONS

WEB = Path(__file__).parents[1] / "web/src"


def catalogue(folder: str) -> dict[str, str]:
    messages: dict[str, str] = json.loads((WEB / folder / "messages/en.json").read_text("utf-8"))
    return messages


def placeholders(message: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[,}]", message))


def keys_below(messages: dict[str, str], prefix: str) -> set[str]:
    return {key.removeprefix(prefix) for key in messages if key.startswith(prefix)}


def test_every_reason_to_decline_has_a_message() -> None:
    messages = catalogue("app")
    for key, reason in REASONS.items():
        assert f"problem.{key}" in messages
        assert placeholders(messages[f"problem.{key}"]) <= placeholders(reason.text), key
    assert {*GENERAL_REFUSALS, "notation"} <= keys_below(messages, "problem.")


@pytest.mark.parametrize("game", names())
def test_every_refusal_of_a_game_has_a_message(game: str) -> None:
    messages, refusals = catalogue(f"games/{game}"), load(game).refusals
    assert keys_below(messages, "refused.") == set(refusals)
    for key, refusal in refusals.items():
        assert placeholders(messages[f"refused.{key}"]) <= placeholders(refusal.text), key


@pytest.mark.parametrize("game", names())
def test_every_option_of_a_game_has_messages(game: str) -> None:
    wanted: set[str] = set()
    for option in load(game).options:
        values = {f"{option.name}.{option_text(choice)}" for choice in option.choices}
        wanted |= {option.name, f"{option.name}.about", *values}
    assert keys_below(catalogue(f"games/{game}"), "option.") == wanted


@pytest.mark.parametrize("game", names())
def test_every_level_of_a_game_has_the_servers_text(game: str) -> None:
    shell, own = catalogue("app"), catalogue(f"games/{game}")
    levels = bots.levels(load(game))
    for level in levels:
        assert f"level.{level.name}" in shell
        key = f"level.{level.name}.about"
        assert own.get(key, shell.get(key)) == level.about, f"{game}: translate {level.name} anew"
    assert keys_below(own, "level.") <= {f"{level.name}.about" for level in levels}
