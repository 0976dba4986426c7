"""Notices: messages to people about an event at a table, which are stored in one transaction with the event.

A notice may be stored in vain, because it is checked against the table again before anything is sent.
"""

from copy import deepcopy
from typing import Final, Literal, NamedTuple, get_args

from sevenhues.server.table import events
from sevenhues.server.table.clock import SECOND_MS
from sevenhues.server.table.state import Decision, Table

Kind = Literal["turn", "joined", "rematch", "deadline"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
DELAY_MS = 500  # until a message is sent, in which a page that is just loading says that it is looked at
DAY_MS = 24 * 3600 * SECOND_MS
MIN_TURN_MS = DAY_MS + 3600 * SECOND_MS  # of a turn with a reminder, so that it does not follow on its beginning


class Notice(NamedTuple):
    """A message for a user about a table, to be sent at a time."""

    user_id: str
    kind: Kind
    due_ms: int


def notices_after(table: Table, decision: Decision, now_ms: int) -> list[Notice]:
    """Return what an event makes worth telling to the users who did not cause it."""
    event, due_ms = decision.event, now_ms + DELAY_MS
    match event:
        case events.SeatTaken() if event.user_id is not None:
            return [Notice(user_id, "joined", due_ms) for user_id in table.user_ids() if user_id != event.user_id]
        case events.RematchOffered():
            return [Notice(user_id, "rematch", due_ms) for user_id in table.user_ids() if user_id != event.user_id]
        case events.Started() | events.MovePlayed() if not table.game.simultaneous and len(table.user_ids()) > 1:
            notices = [Notice(user_id, "turn", due_ms) for user_id in _users_to_move(table, decision)]
            return [one for notice in notices for one in (notice, *_reminder(table, notice.user_id, now_ms))]
        case events.VacationTaken():
            return _moved_reminder(table, event, now_ms)
    return []


def is_due(table: Table, kind: Kind, user_id: str) -> bool:
    """Tell whether a message still holds: the user has not moved, the rematch is not agreed, and so on."""
    to_move = any(table.seats[seat].acting_user_id == user_id for seat in table.to_act())
    match kind:
        case "turn":
            return to_move
        case "deadline":
            return to_move and reminder_at(table) is not None
        case "joined":  # whose turn it is hears that instead
            return table.result is None and not to_move and len(table.user_ids()) > 1 and bool(table.seats_of(user_id))
        case "rematch":
            offered = bool(table.rematch_offers - {user_id}) and user_id not in table.rematch_offers
            return offered and table.rematch_table is None and bool(table.seats_of(user_id))


def reminder_at(table: Table) -> int | None:
    """Return the time at which the player to move has one day left; None without a clock."""
    expires_at = table.clocks.expires_at() if table.clocks is not None else None
    return None if expires_at is None else expires_at - DAY_MS


def _users_to_move(table: Table, decision: Decision) -> list[str]:
    """Return the users who are to move after an event, but not the one who has just moved.

    A position after the start is not computed here: every user may be the first to move.
    """
    event = decision.event
    if not isinstance(event, events.MovePlayed):
        return table.user_ids()
    if decision.position is None or decision.outcome is not None:
        return []
    before = {table.seats[seat].acting_user_id for seat in [*table.to_act(), event.seat]}
    after = dict.fromkeys(table.seats[seat].acting_user_id for seat in decision.position.to_act())
    return [user_id for user_id in after if user_id is not None and user_id not in before]


def _reminder(table: Table, user_id: str, now_ms: int) -> list[Notice]:
    """Return the notice for a reminder one day before the time of a turn that is about to begin runs out."""
    settings = table.config.clock
    if settings.kind == "none":
        return []
    left_ms = settings.seconds * SECOND_MS
    if settings.kind == "bank" and table.clocks is not None:
        left_ms = max(table.clocks.left_ms[seat] for seat in table.seats_of(user_id))
    return [Notice(user_id, "deadline", now_ms + left_ms - DAY_MS)] if left_ms > MIN_TURN_MS else []


def _moved_reminder(table: Table, event: events.VacationTaken, now_ms: int) -> list[Notice]:
    """Return the notice that moves a user's reminder when their holidays begin, or end early."""
    clocks, seats = deepcopy(table.clocks), table.seats_of(event.user_id)
    if clocks is None or clocks.running not in seats or len(table.user_ids()) == 1:
        return []
    for seat in seats:
        clocks.pause(seat, event.started, event.until)
    expires_at = clocks.expires_at()
    due_ms = expires_at - DAY_MS if expires_at is not None else now_ms
    return [Notice(event.user_id, "deadline", due_ms)] if due_ms > now_ms else []
