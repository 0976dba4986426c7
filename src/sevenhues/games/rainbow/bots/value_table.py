"""The values of positions in Rainbow, in cards. fit_values.py fits them by self-play and stores them as JSON."""

import json
from pathlib import Path
from typing import Final

from sevenhues.games.rainbow import bots
from sevenhues.games.rainbow.pieces import HAND_SIZE

ROW_LENGTHS: Final = 6  # lengths of a row in which a seat may act
SAFE_CARD_COUNTS: Final = 4  # 0 to 3 cards
SAFE_FLIP_COUNTS: Final = 3  # 0, 1, several
TURN_STATES: Final = HAND_SIZE * 2 * ROW_LENGTHS * SAFE_CARD_COUNTS * SAFE_FLIP_COUNTS
KNOWN_PLACE_COUNTS: Final = 4  # 0 to 2, more
HANDOVER_STATES: Final = ROW_LENGTHS * KNOWN_PLACE_COUNTS

VALUE_FILE: Final = "value_table.json"


class ValueTable:
    """The number of cards that a seat is expected to win more than its opponent from here on."""

    def __init__(self, turn: list[float], handover: list[float], round_start: float) -> None:
        self.turn = turn  # by KnownTable.turn_index: the seat continues its turn
        self.handover = handover  # by KnownTable.handover_index: the opponent is next
        self.round_start = round_start  # the seat starts a round

    def to_json(self) -> str:
        """Write the table as JSON, rounded to hundredths of a card."""
        turn = _rows(self.turn, SAFE_CARD_COUNTS * SAFE_FLIP_COUNTS)
        handover = _rows(self.handover, KNOWN_PLACE_COUNTS)
        fields = [
            f'  "round_start": {self.round_start:.2f}',
            f'  "turn": [\n{turn}\n  ]',
            f'  "handover": [\n{handover}\n  ]',
        ]
        return "{\n" + ",\n".join(fields) + "\n}\n"


def _rows(numbers: list[float], width: int) -> str:
    rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
    return ",\n".join(["    " + ", ".join([f"{number:.2f}" for number in row]) for row in rows])


def value_path() -> Path:
    """Return the path of the stored table. The package is not compiled, so that its `__file__` is always known."""
    return Path(str(bots.__file__)).with_name(VALUE_FILE)


def load_values() -> ValueTable:
    """Read the stored table."""
    stored = json.loads(value_path().read_text(encoding="utf-8"))
    return ValueTable(
        [float(value) for value in stored["turn"]],
        [float(value) for value in stored["handover"]],
        float(stored["round_start"]),
    )


FITTED_VALUES: Final = load_values()
