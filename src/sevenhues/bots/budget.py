"""How long a bot may think: a time, or a number of simulations, which is the same on every machine."""

import re
from typing import Final

from sevenhues.core.errors import BadOption, shorten

UNITS: Final = {"ms": 0.001, "s": 1.0}
UNLIMITED: Final = 1_000_000_000


class Think:
    """A budget for one move. With `seconds` 0 only the simulations count, and the other way round."""

    def __init__(self, seconds: float = 0.0, simulations: int = 0) -> None:
        if (seconds > 0) == (simulations > 0):
            raise BadOption("a bot thinks for a time or for a number of simulations")
        self.seconds = seconds
        self.simulations = simulations

    @staticmethod
    def read(text: str) -> "Think":
        """Read a budget as a person types it: 200ms, 1.5s, or 400 for that many simulations."""
        found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s|)", text.strip(), re.ASCII)
        number = float(found[1]) if found else 0.0
        if found is None or number <= 0 or (found[2] == "" and "." in found[1]):
            raise BadOption(
                f"thinking is a time such as 200ms or 1.5s, or simulations such as 400, not {shorten(text)}"
            )
        if found[2] == "":
            return Think(simulations=int(number))
        return Think(seconds=number * UNITS[found[2]])

    def text(self) -> str:
        """Write it so that `read` understands it."""
        return f"{self.seconds * 1000:g}ms" if self.seconds > 0 else str(self.simulations)
