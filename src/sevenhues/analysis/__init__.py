"""Analysis of finished games: every seat's chances, the turning points, and the parts of luck and choice."""

from sevenhues.analysis.report import VERSION, analyse, analyse_in_steps

__all__ = ["VERSION", "analyse", "analyse_in_steps"]
