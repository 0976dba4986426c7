"""For those who write games: `check_game` holds any game to the laws that everything else relies on."""

from sevenhues.testing.check import check_game, option_sets
from sevenhues.testing.story import LawBroken

__all__ = ["LawBroken", "check_game", "option_sets"]
