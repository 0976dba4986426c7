"""The settings of the four levels: how far and how carefully each searches."""

from typing import Final

from sevenhues.core.copying import Copyable

# How the solo search treats the jump that must follow each step (FS-22).
IGNORES_JUMPS: Final = 0  # it does not look for one
NEEDS_JUMP: Final = 1  # at least one jump must remain
KEEPS_JUMPS: Final = 2  # more remaining jumps score better


class LevelSettings(Copyable):
    """The search settings of a level."""

    def __init__(
        self,
        max_first_actions: int,
        max_turns: int,
        overlook_percent: int,
        reply_actions: int,
        weighs_flips: bool,
        playout_pool: int,
        solo_width: int,
        solo_turns: int,
        jump_care: int,
    ) -> None:
        self.max_first_actions = max_first_actions  # first actions for which second ones are searched; 0: none at all
        self.max_turns = max_turns  # turns that are checked for replies
        self.overlook_percent = overlook_percent  # share of moves that are overlooked; solo: half of it for jumps
        self.reply_actions = reply_actions  # actions of the next players that are searched for wins
        self.weighs_flips = weighs_flips  # whether the possible results of flips are searched
        self.playout_pool = playout_pool  # turns that are compared by playouts; with 1, none are
        self.solo_width = solo_width  # solo: the width of the beam search
        self.solo_turns = solo_turns  # solo: its depth
        self.jump_care = jump_care  # solo: IGNORES_JUMPS, NEEDS_JUMP or KEEPS_JUMPS


SEEDLING: Final = LevelSettings(
    max_first_actions=0,
    max_turns=8,
    overlook_percent=70,
    reply_actions=0,
    weighs_flips=False,
    playout_pool=1,
    solo_width=1,
    solo_turns=1,
    jump_care=IGNORES_JUMPS,
)
PLAYER: Final = LevelSettings(
    max_first_actions=6,
    max_turns=24,
    overlook_percent=40,
    reply_actions=1,
    weighs_flips=False,
    playout_pool=1,
    solo_width=1,
    solo_turns=1,
    jump_care=NEEDS_JUMP,
)
EXPERT: Final = LevelSettings(
    max_first_actions=24,
    max_turns=48,
    overlook_percent=0,
    reply_actions=2,
    weighs_flips=False,
    playout_pool=1,
    solo_width=2,
    solo_turns=30,
    jump_care=NEEDS_JUMP,
)
MASTER: Final = LevelSettings(
    max_first_actions=24,
    max_turns=48,
    overlook_percent=0,
    reply_actions=2,
    weighs_flips=True,
    playout_pool=8,
    solo_width=12,
    solo_turns=30,
    jump_care=KEEPS_JUMPS,
)
