"""What a game can tell of one that was played, beside its moves: odds of what lies hidden, and the story of a race."""

from typing import Any


class Belief:
    """How likely a hidden face is to be each of several things, for one who has seen what a seat has seen."""

    def __init__(self, where: str, seat: int, at: int, side: int, seen: str, chances: list[float], about: str) -> None:
        self.where = where  # a key: the kind of place
        self.seat = seat  # whose place it is, or NOBODY
        self.at = at  # which place of that kind
        self.side = side  # which face of what lies there
        self.seen = seen  # what was seen of it otherwise, as a symbol, or "" for nothing
        self.chances = chances  # by symbol
        self.about = about  # the place in words

    def plain(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "where": self.where,
            "seat": self.seat,
            "at": self.at,
            "side": self.side,
            "seen": self.seen,
            "chances": self.chances,
            "about": self.about,
        }


class Beliefs:
    """Every hidden face, as a seat or a watcher may think of it."""

    def __init__(self, symbols: list[str], faces: list[Belief]) -> None:
        self.symbols = symbols  # what a face can be, in the order of the chances
        self.faces = faces

    def plain(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {"symbols": self.symbols, "faces": [face.plain() for face in self.faces]}


class Fact:
    """A figure of each seat, over a whole game."""

    def __init__(self, key: str, unit: str, values: list[float], about: str) -> None:
        self.key = key
        self.unit = unit  # "", or "s" for seconds
        self.values = values  # by seat; below 0 where there is none
        self.about = about


class Moment:
    """Something that happened at a ply and mattered."""

    def __init__(self, ply: int, at: int, seat: int, key: str, parameters: dict[str, str | int], about: str) -> None:
        self.ply = ply  # it happened with this move, or up to it
        self.at = at  # milliseconds
        self.seat = seat
        self.key = key
        self.parameters = parameters
        self.about = about


class RaceReport:
    """The story of a game in which everybody acts at once."""

    def __init__(self, facts: list[Fact], moments: list[Moment]) -> None:
        self.facts = facts
        self.moments = moments

    def plain(self) -> dict[str, Any]:
        """Return it as JSON."""
        facts = [{"key": one.key, "unit": one.unit, "values": one.values, "about": one.about} for one in self.facts]
        moments = [
            {
                "ply": one.ply,
                "at": one.at,
                "seat": one.seat,
                "key": one.key,
                "parameters": one.parameters,
                "about": one.about,
            }
            for one in self.moments
        ]
        return {"facts": facts, "moments": moments}
