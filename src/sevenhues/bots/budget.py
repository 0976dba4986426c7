"""The search budget of a bot: a time, or a number of simulations, which is the same on every machine."""

import re
from operator import index
from typing import Any, Final

from sevenhues.core.copying import Copyable
from sevenhues.core.errors import BadOption, shorten

SECONDS_PER_UNIT: Final = {"ms": 0.001, "s": 1.0}
UNLIMITED: Final = 1_000_000_000  # simulations


class Budget(Copyable):
    """The budget for one move: either `seconds` or `simulations` is above 0, and the other is 0."""

    def __init__(self, seconds: float = 0.0, simulations: int = 0) -> None:
        if (seconds > 0) == (simulations > 0):
            raise BadOption("a budget is either a time or a number of simulations")
        self.seconds = seconds
        self.simulations = simulations

    @staticmethod
    def of(value: object) -> "Budget":
        """Return a budget given as such, as text, or as a number of simulations."""
        if isinstance(value, Budget):
            return value
        number = value if isinstance(value, str) else _whole_number(value)
        return Budget.parse(str(number))

    @staticmethod
    def parse(text: str) -> "Budget":
        """Parse a budget as typed: 200ms, 1.5s, or 400 for that many simulations."""
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|)", text.strip(), re.ASCII)
        number = float(match[1]) if match else 0.0
        if match is None or number <= 0 or (match[2] == "" and "." in match[1]):
            raise BadOption(
                f"a budget is a time such as 200ms or 1.5s, or simulations such as 400, not {shorten(text)}"
            )
        if match[2] == "":
            return Budget(simulations=int(number))
        return Budget(seconds=number * SECONDS_PER_UNIT[match[2]])

    def text(self) -> str:
        """Return the budget as text that `parse` reads."""
        return f"{self.seconds * 1000:g}ms" if self.seconds > 0 else str(self.simulations)


def _whole_number(value: Any) -> object:
    try:
        return index(value)
    except TypeError:
        return value
