"""Builds what everybody may see of a position, only from cards that lie open."""

from typing import Final

from mypy_extensions import i64

from sevenhues.core import bits
from sevenhues.core.encoder import Feature
from sevenhues.core.position import WATCHER
from sevenhues.games.nimble.pieces import (
    COLOUR_BITS,
    COLOUR_COUNT,
    COLOUR_MASK,
    COLOURS,
    FLIP,
    HIGHEST,
    KINDS,
    MOVES,
    PLACE,
    SET,
    STACKS,
    TAKE_BACK,
    TURN_OVER,
    field,
)
from sevenhues.games.nimble.rules import NO_CARD, NO_MOVE, OUT, NimblePosition
from sevenhues.games.nimble.view_types import Card, Last, Mistake, NimbleView, Player, Result, Stack

# Where a card lies, in features.
LAID: Final = 0
IN_PILE: Final = 1
IN_SET: Final = 2
UNSEEN: Final = 3

COMING: Final = 3  # cards of a set that are shown where everything is open

WHERE_CODES: Final = "0 on a stack, 1 in the pile, 2 in the set at a place that was seen, 3 in the set and never seen"
CARD_ORDER: Final = "by frame and then circle, AM AE AW AP AQ MA …"


def view(position: NimblePosition, viewer: int) -> NimbleView:
    """Build the view of a seat or WATCHER. NB-10 Nobody sees into a set."""
    return NimbleView(
        viewer=viewer,
        checking="audit" if position.audit else "referee",
        goal=position.goal(),
        stacks=[_stack(position, stack) for stack in range(STACKS)],
        players=[_player(position, seat) for seat in range(position.seats)],
        last=_last(position),
        result=_result(position),
    )


def full_view(position: NimblePosition) -> NimbleView:
    """Build the view of somebody who may look into the sets."""
    whole = view(position, WATCHER)
    for seat, player in enumerate(whole["players"]):
        mark = field(position.marks, seat)
        rest = bits.members(position.held(seat) >> mark)
        player["coming"] = [_card(position, SET * seat + mark + place) for place in rest[:COMING]]
    return whole


def _card(position: NimblePosition, number: int) -> Card:
    card = position.sets[number]
    return Card(
        card=number, owner=number // SET, frame=COLOURS[card >> COLOUR_BITS], circle=COLOURS[card & COLOUR_MASK]
    )


def _stack(position: NimblePosition, stack: int) -> Stack:
    return Stack(height=position.height(stack), top=_card(position, position.top(stack)))


def _player(position: NimblePosition, seat: int) -> Player:
    mark = field(position.marks, seat)
    rest = position.held(seat) >> mark
    moves = position.legal(seat)
    return Player(
        set=bits.count(rest),
        next=SET * seat + mark + bits.lowest(rest) if rest else None,
        pile=bits.count(position.pile(seat)),
        top=_card(position, SET * seat + mark - 1) if mark else None,
        left=position.left(seat),
        may_flip=FLIP in moves,
        may_take_back=TAKE_BACK in moves,
        may_turn_over=TURN_OVER in moves,
    )


def _last(position: NimblePosition) -> Last | None:
    if position.last_move == NO_MOVE:
        return None
    stack: int | None = None
    covered: Card | None = None
    if PLACE <= position.last_move < TAKE_BACK:
        at = position.last_move - PLACE
        stack = at + 1
        covered = _card(position, position.stack(at)[-2])
    return Last(
        seat=position.last_seat,
        move=MOVES[position.last_move],
        card=None if position.last_card == NO_CARD else _card(position, position.last_card),
        stack=stack,
        covered=covered,
    )


def _result(position: NimblePosition) -> Result | None:
    outcome = position.outcome()
    if outcome is None:
        return None
    return Result(
        reason="out" if position.end == OUT else "stalemate",
        winners=outcome.winners,
        places=outcome.places,
        disqualified=bits.members(position.mistaken),
        mistakes=mistakes(position),
        stacks=[[_card(position, number) for number in position.stack(stack)] for stack in range(STACKS)],
    )


def mistakes(position: NimblePosition) -> list[Mistake]:
    """NB-16 Tell every mistake, once the game is over; before that nothing is judged."""
    if not position.end:
        return []
    return [
        Mistake(stack=stack, height=height, card=_card(position, number), owner=number // SET)
        for stack, height, number in position.mistakes()
    ]


def layout(seats: int) -> tuple[Feature, ...]:
    """Name the numbers of `features`: the table, then each player's, the viewer first and the others in turn."""
    features = [
        Feature("over", 1, 1, "1 if the game is over"),
        Feature("audit", 1, 1, "1 if mistakes are judged only after the game"),
        Feature("stack_frames", STACKS, COLOUR_COUNT - 1, "the frame of each stack's top card (AMEWPQ)"),
        Feature("stack_circles", STACKS, COLOUR_COUNT - 1, "its circle: the frame that fits"),
        Feature("stack_heights", STACKS, HIGHEST, "cards on each stack"),
    ]
    for player in range(seats):
        who = f"player_{player}" if player else "my"
        whose = f"player {player} after the viewer" if player else "the viewer (for a watcher: seat 0)"
        features += [
            Feature(f"{who}_set_count", 1, SET, f"cards in the set of {whose}"),
            Feature(f"{who}_pile_count", 1, SET, "cards in the discard pile"),
            Feature(f"{who}_mistaken", 1, 1, "1 after a card that did not fit"),
            Feature(f"{who}_cards", SET, UNSEEN, f"where each card is ({CARD_ORDER}): {WHERE_CODES}"),
            Feature(f"{who}_depths", SET, SET - 1, "how many cards lie on it there, for 1 and 2"),
        ]
    return tuple(features)


def features(position: NimblePosition, viewer: int) -> list[int]:
    """Number what a seat or WATCHER knows, in the order of `layout`."""
    me = 0 if viewer == WATCHER else viewer
    numbers: list[int] = [int(position.end > 0), int(position.audit)]
    numbers += [position.sets[position.top(stack)] >> COLOUR_BITS for stack in range(STACKS)]
    numbers += [position.sets[position.top(stack)] & COLOUR_MASK for stack in range(STACKS)]
    numbers += [position.height(stack) for stack in range(STACKS)]
    for i in range(position.seats):
        numbers += _player_features(position, (me + i) % position.seats)
    return numbers


def _player_features(position: NimblePosition, seat: i64) -> list[int]:
    held = position.held(seat)
    mark = field(position.marks, seat)
    seen = field(position.seen, seat)
    pile = bits.count(position.pile(seat))
    where = [LAID] * SET
    depth = [0] * SET
    before: i64 = 0  # cards held at earlier places
    place: i64 = 0
    while place < SET:
        if (held >> place) & 1:
            kind: i64 = KINDS[position.sets[SET * seat + place]]
            if place < mark:
                where[kind] = IN_PILE
                depth[kind] = pile - 1 - before
            elif place < seen:
                where[kind] = IN_SET
                depth[kind] = before - pile
            else:
                where[kind] = UNSEEN
            before += 1
        place += 1
    return [before - pile, pile, (position.mistaken >> seat) & 1, *where, *depth]
