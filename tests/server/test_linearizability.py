"""The checker of histories accepts what a linearizable server does, and refuses every other history."""

import pytest

from tests.server.linearizability import Attempt, Observation, StoredMove, Violation, check

LOG = [StoredMove(0, "S1", "a"), StoredMove(1, "S2", "b"), StoredMove(0, "E", "c")]
FIRST = Attempt("ada", "a", 0, "S1", 0, 1.0, 1.1, "accepted", 1)
SECOND = Attempt("ben", "b", 1, "S2", 1, 2.0, 2.1, "accepted", 2)
THIRD = Attempt("ada", "c", 0, "E", 2, 3.0, 3.1, "accepted", 3)
ATTEMPTS = [FIRST, SECOND, THIRD]
LATE = Attempt("eve", "d", 1, "S3", 1, 2.0, 2.5, "stale")  # at the same time as SECOND, which was first
SEEN = [
    Observation("ada", 1.1, 1, ((0, "S1"),)),
    Observation("ben", 1.2, 1, ((0, "S1"),)),
    Observation("ben", 2.1, 2, ((1, "S2"),)),
    Observation("ada", 4.0, 3, ((0, "S1"), (1, "S2"), (0, "E"))),
]


def test_linearizable_history_is_accepted() -> None:
    check(LOG, [*ATTEMPTS, LATE], SEEN)
    check([], [], [])


def test_move_without_an_answer_may_be_stored_or_not() -> None:
    unanswered = THIRD._replace(answer="unknown", ply=None)
    check(LOG, [FIRST, SECOND, unanswered], SEEN)
    check(LOG[:2], [FIRST, SECOND, unanswered], SEEN[:3])


def test_two_clients_may_see_the_same_move_at_different_times() -> None:
    check(LOG, ATTEMPTS, [*SEEN, Observation("zoe", 9.0, 1, ((0, "S1"),))])


@pytest.mark.parametrize(
    ("fault", "log", "attempts", "seen"),
    [
        ("lost", LOG[:2], ATTEMPTS, []),
        ("lost", LOG, [FIRST, SECOND._replace(ply=3), THIRD], []),
        ("doubled", [*LOG, LOG[2]], ATTEMPTS, []),
        ("changed", [*LOG[:2], StoredMove(0, "S9", "c")], ATTEMPTS, []),
        ("misplaced", [LOG[1], LOG[0], LOG[2]], ATTEMPTS, []),
        ("refused and stored", LOG, [FIRST, SECOND, THIRD._replace(answer="refused", ply=None)], []),
        ("refused and stored", LOG, [FIRST, SECOND._replace(answer="stale", ply=None), THIRD], []),
        ("refused for a stale position", LOG, [*ATTEMPTS, LATE._replace(seen_ply=3)], []),
        ("refused for a stale position", LOG, [*ATTEMPTS, LATE._replace(sent=1.5, answered=1.9)], []),
        ("reordered", LOG, [FIRST, SECOND._replace(sent=9.0, answered=9.1), THIRD], []),
        ("reordered", LOG, ATTEMPTS, [Observation("zoe", 0.5, 1, ((0, "S1"),))]),
        ("taken back", LOG, ATTEMPTS, [Observation("zoe", 9.0, 4, ((1, "S4"),))]),
        ("taken back", LOG, ATTEMPTS, [Observation("zoe", 9.0, 2, ((1, "S7"),))]),
        ("taken back", LOG, ATTEMPTS, [Observation("zoe", 9.0, 2, ((0, "S7"), (1, "S2")))]),
        ("stale", LOG, ATTEMPTS, [SEEN[3], Observation("ada", 5.0, 2, ((1, "S2"),))]),
    ],
)
def test_other_history_is_refused(
    fault: str, log: list[StoredMove], attempts: list[Attempt], seen: list[Observation]
) -> None:
    with pytest.raises(Violation, match=f"^{fault}: "):
        check(log, attempts, seen)
