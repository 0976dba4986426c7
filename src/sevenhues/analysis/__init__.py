"""The story of a game: what each side's chances were, which moves turned it, what was luck and what choice."""

from sevenhues.analysis.report import VERSION, analyse

__all__ = ["VERSION", "analyse"]
