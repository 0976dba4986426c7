"""A checker of histories: the moves at a table form one order, which fits all that its clients were told.

The order is the log of the store. Times are seconds of one monotonic clock, which all clients share.
"""

from typing import Literal, NamedTuple

Answer = Literal["accepted", "refused", "stale", "unknown"]


class StoredMove(NamedTuple):
    """A move in the log of the store."""

    seat: int
    text: str
    request_id: str | None


class Attempt(NamedTuple):
    """A move that a client sent, and its answer.

    `unknown` means that the move may have been stored: there was no answer in time, or the store failed. `stale` is
    the refusal because another move was first.
    """

    client: str
    request_id: str
    seat: int
    text: str
    seen_ply: int  # how many moves the client had seen
    sent: float
    answered: float
    answer: Answer
    ply: int | None = None  # of an accepted move


class Observation(NamedTuple):
    """A position that a client was shown: after how many moves, and the last of them or all of them."""

    client: str
    at: float
    ply: int
    moves: tuple[tuple[int, str], ...]  # the last ones, each a seat and a text


class Violation(AssertionError):
    """No order of the moves fits a history."""


def check(log: list[StoredMove], attempts: list[Attempt], observations: list[Observation]) -> None:
    """Raise Violation unless the log is an order of the moves that fits all attempts and observations."""
    plies = _plies(log)
    sent = {attempt.request_id: attempt.sent for attempt in attempts}
    for attempt in attempts:
        _check_attempt(log, plies, attempt, sent)
    _check_real_time(plies, attempts, observations)
    _check_observations(log, observations)


def _plies(log: list[StoredMove]) -> dict[str, int]:
    """Return the ply of each stored request."""
    plies: dict[str, int] = {}
    for ply, move in enumerate(log, 1):
        if move.request_id is not None:
            if move.request_id in plies:
                raise Violation(f"doubled: request {move.request_id} is move {plies[move.request_id]} and move {ply}")
            plies[move.request_id] = ply
    return plies


def _check_attempt(log: list[StoredMove], plies: dict[str, int], attempt: Attempt, sent: dict[str, float]) -> None:
    ply = plies.get(attempt.request_id)
    if ply is not None and log[ply - 1][:2] != (attempt.seat, attempt.text):
        raise Violation(f"changed: {attempt} was stored as {log[ply - 1]}")
    if ply is not None and ply != attempt.seen_ply + 1:
        raise Violation(f"misplaced: {attempt} is move {ply}")
    if attempt.answer == "accepted" and (ply is None or ply != attempt.ply):
        raise Violation(f"lost: {attempt} was acknowledged and is move {ply} of the log")
    if attempt.answer in ("refused", "stale") and ply is not None:
        raise Violation(f"refused and stored: {attempt} is move {ply}")
    if attempt.answer == "stale":
        first = log[attempt.seen_ply].request_id if attempt.seen_ply < len(log) else None
        if first is None or sent[first] > attempt.answered:
            raise Violation(f"refused for a stale position: no other move was before {attempt}")


def _check_real_time(plies: dict[str, int], attempts: list[Attempt], observations: list[Observation]) -> None:
    """Check that a move comes after all that any client had been told before it was sent."""
    told = [(one.at, one.ply) for one in observations]
    told += [(one.answered, one.ply) for one in attempts if one.ply is not None]
    told.sort()
    known = next_told = 0
    for attempt in sorted(attempts, key=lambda one: one.sent):
        while next_told < len(told) and told[next_told][0] < attempt.sent:
            known = max(known, told[next_told][1])
            next_told += 1
        ply = plies.get(attempt.request_id)
        if ply is not None and ply <= known:
            raise Violation(f"reordered: {attempt} is move {ply}, but move {known} was known before it was sent")


def _check_observations(log: list[StoredMove], observations: list[Observation]) -> None:
    order = [(move.seat, move.text) for move in log]
    seen: dict[str, int] = {}
    for one in observations:
        if one.ply > len(log) or tuple(order[one.ply - len(one.moves) : one.ply]) != one.moves:
            raise Violation(f"taken back: {one} does not fit the log")
        if one.ply < seen.get(one.client, 0):
            raise Violation(f"stale: {one} came after move {seen[one.client]} had been shown")
        seen[one.client] = one.ply
