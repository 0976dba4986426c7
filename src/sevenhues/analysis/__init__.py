"""Analysis of finished games: every seat's chances, the turning points, and the parts of luck and choice."""

from sevenhues.analysis.report import VERSION, analyse

__all__ = ["VERSION", "analyse"]
