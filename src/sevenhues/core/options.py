"""Options of a game: what can be chosen before it starts."""

from collections.abc import Mapping
from typing import Any

from sevenhues.core.copying import Copyable
from sevenhues.core.errors import BadOption, shorten
from sevenhues.core.json_checks import describe

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]


class Option(Copyable):
    """A named choice; the first of its choices is the default.

    With `helps`, any other value makes the game easier: such games are not rated.
    """

    def __init__(self, name: str, choices: tuple[OptionValue, ...], about: str, helps: bool = False) -> None:
        self.name = name
        self.choices = choices
        self.about = about
        self.helps = helps

    @property
    def default(self) -> OptionValue:
        return self.choices[0]

    def check(self, value: object) -> OptionValue:
        """Return the value if it is one of the choices, type included; a scalar of NumPy counts as Python's own."""
        own: Any = value
        if type(value).__module__ == "numpy" and hasattr(value, "item"):
            own = own.item()
        for choice in self.choices:
            if type(choice) is type(own) and choice == own:
                return choice
        raise BadOption(f"option {self.name} is {self._listed()}, not {describe(value)}")

    def read(self, text: str) -> OptionValue:
        """Parse a value as a person types it."""
        for choice in self.choices:
            if option_text(choice) == text.lower():
                return choice
        raise BadOption(f"option {self.name} is {self._listed()}, not {shorten(text)}")

    def _listed(self) -> str:
        return " or ".join([option_text(choice) for choice in self.choices])


def option_text(value: object) -> str:
    """Write an option's value as a person types it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
