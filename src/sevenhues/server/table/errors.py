"""The error of a command or request that is refused."""

from sevenhues.core.errors import SevenHuesError


class Refused(SevenHuesError):
    """A command or request that is refused.

    `key` identifies the reason and `parameters` fill in its text: see `sevenhues.server.errors`.
    """

    def __init__(self, key: str, **parameters: str | int) -> None:
        self.key = key
        self.parameters = parameters
        details = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
        super().__init__(f"{key} ({details})" if details else key)
