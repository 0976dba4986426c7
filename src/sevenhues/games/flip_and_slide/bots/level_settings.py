"""How carefully each level thinks."""

from typing import Final

# How somebody minds the jumps to come.
HEEDLESS: Final = 0  # not at all
SEES_JUMPS: Final = 1  # there must be one
STAYS_FREE: Final = 2  # and the more there are the better


class Style:
    """How carefully a level thinks."""

    def __init__(
        self,
        firsts: int,
        kept: int,
        overlooks: int,
        looks: int,
        flips: bool,
        pool: int,
        width: int,
        turns: int,
        minds: int,
    ) -> None:
        self.firsts = firsts  # first actions that are followed up; with none, only one action is planned
        self.kept = kept  # turns that are looked at more closely
        self.overlooks = overlooks  # moves of a hundred that it does not think of; alone, half as many jumps to come
        self.looks = looks  # actions that it looks at of those who come next
        self.flips = flips  # weighs what flips may show
        self.pool = pool  # turns that are played on; with one, none is
        self.width = width  # alone: ways that are followed
        self.turns = turns  # and how far
        self.minds = minds  # how it minds the jumps to come


SEEDLING: Final = Style(firsts=0, kept=8, overlooks=70, looks=0, flips=False, pool=1, width=1, turns=1, minds=HEEDLESS)
PLAYER: Final = Style(firsts=6, kept=24, overlooks=40, looks=1, flips=False, pool=1, width=1, turns=1, minds=SEES_JUMPS)
EXPERT: Final = Style(
    firsts=24, kept=48, overlooks=0, looks=2, flips=False, pool=1, width=2, turns=30, minds=SEES_JUMPS
)
MASTER: Final = Style(
    firsts=24, kept=48, overlooks=0, looks=2, flips=True, pool=8, width=12, turns=30, minds=STAYS_FREE
)
