"""Files beside a game's code: its rules in several languages, its lesson, its network."""

import re
import sys
from pathlib import Path
from typing import Any, Final

from sevenhues.core.game import Game

ENGLISH: Final = "en"  # the language that everything is written in first
LANGUAGE: Final = re.compile("[a-z]{2,3}")
RULES: Final = "RULES.md"


def resource_path(game: Game[Any], name: str) -> Path:
    """Return the path of a file beside the game's code."""
    return Path(str(sys.modules[type(game).__module__].__file__)).with_name(name)


def rules_text(game: Game[Any], language: str = ENGLISH) -> str:
    """Return the rules, RULES.<language>.md beside the game's code; in English if there is no translation."""
    english = resource_path(game, RULES)
    translated = english.with_name(f"RULES.{language}.md") if LANGUAGE.fullmatch(language) else english
    return (translated if translated.is_file() else english).read_text(encoding="utf-8")


def rules_languages(game: Game[Any]) -> list[str]:
    """Return the languages of the rules, English first."""
    translations = [file.name.split(".")[1] for file in resource_path(game, RULES).parent.glob("RULES.*.md")]
    return [ENGLISH, *sorted(translations)]


def lesson_folder(game: Game[Any]) -> Path | None:
    """Return the folder of the game's lesson (see core.lesson); None if it has none."""
    folder = resource_path(game, "lesson")
    return folder if folder.is_dir() else None
