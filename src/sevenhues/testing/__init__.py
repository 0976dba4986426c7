"""Checks for authors of games: `check_game` checks the laws of the contract, `check_lesson` a lesson."""

from sevenhues.testing.check import check_game, option_sets
from sevenhues.testing.lesson import check_lesson
from sevenhues.testing.observed_game import LawBroken

__all__ = ["LawBroken", "check_game", "check_lesson", "option_sets"]
