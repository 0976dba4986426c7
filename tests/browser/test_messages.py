"""What comes from the server in English the client can say in the words of its catalogues, with what it is told."""

import json
import re
from pathlib import Path

import pytest

from sevenhues import bots, load, names
from sevenhues.core.game import GENERAL_REFUSALS, option_text
from sevenhues.server.declined import REASONS

WEB = Path(__file__).parents[2] / "web/src"


def catalogue(folder: str) -> dict[str, str]:
    messages: dict[str, str] = json.loads((WEB / folder / "messages/en.json").read_text("utf-8"))
    return messages


def places(message: str) -> set[str]:
    return set(re.findall(r"\{(\w+)[,}]", message))


def starting(said: dict[str, str], prefix: str) -> set[str]:
    return {key.removeprefix(prefix) for key in said if key.startswith(prefix)}


def test_every_reason_to_decline_is_said() -> None:
    said = catalogue("app")
    for key, reason in REASONS.items():
        assert f"problem.{key}" in said
        assert places(said[f"problem.{key}"]) <= places(reason.text), key
    assert {*GENERAL_REFUSALS, "notation"} <= starting(said, "problem.")


@pytest.mark.parametrize("game", names())
def test_every_refusal_of_a_game_is_said(game: str) -> None:
    said, refusals = catalogue(f"games/{game}"), load(game).refusals
    assert starting(said, "refused.") == set(refusals)
    for key, refusal in refusals.items():
        assert places(said[f"refused.{key}"]) <= places(refusal.text), key


@pytest.mark.parametrize("game", names())
def test_every_option_of_a_game_is_said(game: str) -> None:
    wanted: set[str] = set()
    for option in load(game).options:
        values = {f"{option.name}.{option_text(choice)}" for choice in option.choices}
        wanted |= {option.name, f"{option.name}.about", *values}
    assert starting(catalogue(f"games/{game}"), "option.") == wanted


@pytest.mark.parametrize("game", names())
def test_every_level_of_a_game_is_said_as_the_server_says_it(game: str) -> None:
    shell, own = catalogue("app"), catalogue(f"games/{game}")
    levels = bots.levels(load(game))
    for level in levels:
        assert f"level.{level.name}" in shell
        key = f"level.{level.name}.about"
        assert own.get(key, shell.get(key)) == level.about, f"{game}: translate {level.name} anew"
    assert starting(own, "level.") <= {f"{level.name}.about" for level in levels}
