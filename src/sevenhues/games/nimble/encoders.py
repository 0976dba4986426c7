"""Encoding of Nimble positions as numbers: the observation."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.encoder import Encoder, Feature
from sevenhues.core.options import Options
from sevenhues.core.position import WATCHER
from sevenhues.games.nimble.pieces import (
    COLOUR_BITS,
    COLOUR_COUNT,
    COLOUR_MASK,
    KINDS,
    MAX_HEIGHT,
    SET,
    STACKS,
    count_at,
)
from sevenhues.games.nimble.rules import NimblePosition

# Where a card lies.
ON_STACK: Final = 0
IN_PILE: Final = 1
IN_SET: Final = 2
UNSEEN: Final = 3

WHERE_CODES: Final = "0 on a stack, 1 in the pile, 2 in the set at a place that was seen, 3 in the set and never seen"
CARD_ORDER: Final = "by frame and then circle, AM AE AW AP AQ MA …"

TABLE_SIZE: Final = 2 + 3 * STACKS  # numbers of the observation before those of the players
PLAYER_SIZE: Final = 3 + 2 * SET


class NimbleObservation(Encoder[NimblePosition]):
    """What a seat knows now: the table, then each player, from the viewer on."""

    def layout(self, seats: int, options: Options) -> tuple[Feature, ...]:
        return observation_layout(seats)

    def encode(self, position: NimblePosition, seat: int) -> list[int]:
        size = TABLE_SIZE + PLAYER_SIZE * position.seats
        numbers: vec[i64] = vec[i64]([0] * size)
        self.write(position, seat, numbers, 0)
        return [numbers[i] for i in range(size)]

    def write(self, position: NimblePosition, seat: int, numbers: vec[i64], start: i64) -> None:
        seats: i64 = position.seats
        me: i64 = 0 if seat == WATCHER else seat
        numbers[start] = 1 if position.end > 0 else 0
        numbers[start + 1] = 1 if position.audit else 0
        at = start + 2
        stack: i64 = 0
        while stack < STACKS:
            top: i64 = position.sets[position.top(stack)]
            numbers[at + stack] = top >> COLOUR_BITS
            numbers[at + STACKS + stack] = top & COLOUR_MASK
            numbers[at + 2 * STACKS + stack] = position.height(stack)
            stack += 1
        player: i64 = 0
        while player < seats:
            _write_player(position, (me + player) % seats, numbers, start + TABLE_SIZE + PLAYER_SIZE * player)
            player += 1


def observation_layout(seats: int) -> tuple[Feature, ...]:
    """Describe the numbers of the observation, in order."""
    features = [
        Feature("over", 1, 1, "1 if the game is over"),
        Feature("audit", 1, 1, "1 if mistakes are judged only after the game"),
        Feature("stack_frames", STACKS, COLOUR_COUNT - 1, "the frame of each stack's top card (AMEWPQ)"),
        Feature("stack_circles", STACKS, COLOUR_COUNT - 1, "its circle: the frame that fits"),
        Feature("stack_heights", STACKS, MAX_HEIGHT, "cards on each stack"),
    ]
    for player in range(seats):
        prefix = f"player_{player}" if player else "my"
        owner = f"player {player} after the viewer" if player else "the viewer (for a watcher: seat 0)"
        features += [
            Feature(f"{prefix}_set_count", 1, SET, f"cards in the set of {owner}"),
            Feature(f"{prefix}_pile_count", 1, SET, "cards in the discard pile"),
            Feature(f"{prefix}_mistaken", 1, 1, "1 after a card that did not fit"),
            Feature(f"{prefix}_cards", SET, UNSEEN, f"where each card is ({CARD_ORDER}): {WHERE_CODES}"),
            Feature(f"{prefix}_depths", SET, SET - 1, "how many cards lie on it there, for 1 and 2"),
        ]
    return tuple(features)


def _write_player(position: NimblePosition, seat: i64, numbers: vec[i64], start: i64) -> None:
    held = position.held(seat)
    mark = count_at(position.marks, seat)
    seen = count_at(position.seen, seat)
    pile = bits.count(position.pile(seat))
    where = start + 3
    depth = where + SET
    i: i64 = 0
    while i < SET:
        numbers[where + i] = ON_STACK
        numbers[depth + i] = 0
        i += 1
    before: i64 = 0  # cards held at earlier places
    place: i64 = 0
    while place < SET:
        if (held >> place) & 1:
            kind: i64 = KINDS[position.sets[SET * seat + place]]
            if place < mark:
                numbers[where + kind] = IN_PILE
                numbers[depth + kind] = pile - 1 - before
            elif place < seen:
                numbers[where + kind] = IN_SET
                numbers[depth + kind] = before - pile
            else:
                numbers[where + kind] = UNSEEN
            before += 1
        place += 1
    numbers[start] = before - pile
    numbers[start + 1] = pile
    numbers[start + 2] = (position.mistaken >> seat) & 1
