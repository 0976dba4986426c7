"""Builds views: what all seats and watchers may see of a position, from face-up cards only."""

from typing import Final

from sevenhues.core import bits
from sevenhues.core.position import WATCHER
from sevenhues.games.nimble.pieces import (
    COLOUR_BITS,
    COLOUR_MASK,
    COLOURS,
    FLIP,
    MOVES,
    PLACE,
    SET,
    STACKS,
    TAKE_BACK,
    TURN_OVER,
    count_at,
)
from sevenhues.games.nimble.rules import NO_CARD, NO_MOVE, OUT, NimblePosition
from sevenhues.games.nimble.view_types import Card, Last, Mistake, NimbleView, Player, Result, Stack

COMING: Final = 3  # how many cards of each set the full view shows


def view(position: NimblePosition, viewer: int) -> NimbleView:
    """Build the view of a seat or WATCHER. NB-10 The cards in sets are hidden from all."""
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
    """Build a watcher's view that also shows the next cards of each set."""
    opened = view(position, WATCHER)
    for seat, player in enumerate(opened["players"]):
        mark = count_at(position.marks, seat)
        rest = bits.members(position.held(seat) >> mark)
        player["coming"] = [_card(position, SET * seat + mark + place) for place in rest[:COMING]]
    return opened


def _card(position: NimblePosition, number: int) -> Card:
    card = position.sets[number]
    return Card(
        card=number, owner=number // SET, frame=COLOURS[card >> COLOUR_BITS], circle=COLOURS[card & COLOUR_MASK]
    )


def _stack(position: NimblePosition, stack: int) -> Stack:
    return Stack(height=position.height(stack), top=_card(position, position.top(stack)))


def _player(position: NimblePosition, seat: int) -> Player:
    mark = count_at(position.marks, seat)
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
    """NB-16 Return all mistakes of a finished game; before the end none is reported."""
    if not position.end:
        return []
    return [
        Mistake(stack=stack, height=height, card=_card(position, number), owner=number // SET)
        for stack, height, number in position.mistakes()
    ]
