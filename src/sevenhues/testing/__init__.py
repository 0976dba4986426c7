"""For those who write games: `check_game` holds any game to the laws that everything else relies on,
`check_lesson` its lesson to its rules.
"""

from sevenhues.testing.check import check_game, option_sets
from sevenhues.testing.lesson import check_lesson
from sevenhues.testing.observed_game import LawBroken

__all__ = ["LawBroken", "check_game", "check_lesson", "option_sets"]
