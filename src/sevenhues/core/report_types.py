"""Types of reports on a game beyond its moves: the odds of hidden faces, and the report on a race."""

from typing import Any

from sevenhues.core.copying import Copyable


class Belief(Copyable):
    """The probability of each symbol for one hidden face, given what a seat has seen."""

    def __init__(self, where: str, seat: int, at: int, side: int, seen: str, chances: list[float], about: str) -> None:
        self.where = where  # the kind of place, as a key
        self.seat = seat  # the owner of the place, or NOBODY
        self.at = at  # the number of the place among those of its kind
        self.side = side  # the face of the piece in that place
        self.seen = seen  # the symbol of the other face if the seat knows it, or ""
        self.chances = chances  # by symbol
        self.about = about  # a description of the place

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "where": self.where,
            "seat": self.seat,
            "at": self.at,
            "side": self.side,
            "seen": self.seen,
            "chances": self.chances,
            "about": self.about,
        }


class Beliefs(Copyable):
    """The odds of every face that is hidden from a seat or a spectator."""

    def __init__(self, symbols: list[str], faces: list[Belief]) -> None:
        self.symbols = symbols  # of a face, in the order of the chances
        self.faces = faces

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {"symbols": self.symbols, "faces": [face.to_json() for face in self.faces]}


class RaceFact(Copyable):
    """A number for each seat about a whole game."""

    def __init__(self, key: str, unit: str, values: list[float], about: str) -> None:
        self.key = key
        self.unit = unit  # "", or "s" for seconds
        self.values = values  # by seat; negative if there is none
        self.about = about

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {"key": self.key, "unit": self.unit, "values": self.values, "about": self.about}


class RaceMoment(Copyable):
    """An important event at one ply of a race."""

    def __init__(self, ply: int, at_ms: int, seat: int, key: str, parameters: dict[str, str | int], about: str) -> None:
        self.ply = ply  # the move with which it happened, or before which
        self.at_ms = at_ms
        self.seat = seat
        self.key = key
        self.parameters = parameters
        self.about = about

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "ply": self.ply,
            "at": self.at_ms,
            "seat": self.seat,
            "key": self.key,
            "parameters": self.parameters,
            "about": self.about,
        }


class RaceReport(Copyable):
    """Facts and important moments of a simultaneous game."""

    def __init__(self, facts: list[RaceFact], moments: list[RaceMoment]) -> None:
        self.facts = facts
        self.moments = moments

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object."""
        facts = [fact.to_json() for fact in self.facts]
        return {"facts": facts, "moments": [moment.to_json() for moment in self.moments]}
