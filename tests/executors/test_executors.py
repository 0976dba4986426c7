"""Executors give the results of a plain loop, whatever happens to their workers."""

import os
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

from sevenhues import executors
from sevenhues.arena.match import Match, Result, pairings, play_all, tasks
from sevenhues.arena.players import Player
from sevenhues.core.errors import BadOption, SevenHuesError
from sevenhues.executors.executor import MAX_CHUNK, MAX_LOSSES, Done, WorkLost
from sevenhues.executors.local import Processes, ThisProcess
from tests.executors.failing_cluster import FailingCluster


def square(number: int) -> int:
    return number * number


def square_below_fifty(number: int) -> int:
    if number >= 50:
        raise SevenHuesError(f"{number} is too large")
    return number * number


SQUARES = [square(number) for number in range(1000)]


@pytest.mark.parametrize("lost", [(), (0,), (3, 4, 5), (0, 2, 4, 6, 8, 10)])
def test_lost_chunks_are_run_again_and_no_result_is_lost_or_doubled(lost: tuple[int, ...]) -> None:
    calls: list[int] = []

    def counted(number: int) -> int:
        calls.append(number)
        return square(number)

    with FailingCluster(3, lost) as cluster:
        assert list(cluster.run(counted, range(1000))) == SQUARES
    assert cluster.closed
    assert (len(calls) > 1000) == bool(lost)  # items of lost chunks were run, and their results thrown away


def test_work_whose_workers_end_every_time_is_given_up() -> None:
    cluster = FailingCluster(1, range(1000))
    with pytest.raises(WorkLost, match=r"4 workers ended while they ran the same 1 item\(s\): NodeGone\(\)"):
        list(cluster.run(square, range(10)))
    assert len(cluster.submitted) == cluster.in_flight() + MAX_LOSSES


def test_error_comes_after_the_results_before_it() -> None:
    for executor in (ThisProcess(), FailingCluster(3, (1, 2))):
        results = executor.run(square_below_fifty, range(100))
        assert [next(results) for _ in range(50)] == SQUARES[:50]
        with pytest.raises(SevenHuesError, match="50 is too large"):
            next(results)


def test_chunks_grow_to_the_time_aimed_at_and_shrink_at_the_end() -> None:
    cluster = FailingCluster(2, ())
    sizes = [1]
    for seconds in (0.0001, 0.0001, 0.05, 0.1, 10.0):
        sizes.append(cluster._next_size(sizes[-1], Done([None] * sizes[-1], seconds * sizes[-1], None)))
    assert sizes == [1, 2, 4, 1, 1, 1]
    assert cluster._next_size(MAX_CHUNK, Done([None], 1e-6, None)) == MAX_CHUNK
    assert list(cluster.run(square, range(1000))) == SQUARES
    assert sum(cluster.submitted) == 1000
    assert cluster.submitted[-1] == 1


def test_no_items_give_no_results() -> None:
    assert list(FailingCluster(2, ()).run(square, [])) == []


def end_process_once(folder: Path, number: int) -> int:
    """Kill this process, the first time that the number is 7 or 30."""
    mark = folder / str(number)
    if number in (7, 30) and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return square(number)


def end_process(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.slow
def test_killed_processes_are_replaced(tmp_path: Path) -> None:
    with Processes(2) as executor:
        assert list(executor.run(partial(end_process_once, tmp_path), range(60))) == SQUARES[:60]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["30", "7"]


@pytest.mark.slow
def test_item_that_kills_every_process_is_reported() -> None:
    with Processes(1) as executor, pytest.raises(WorkLost, match="4 workers ended"):
        list(executor.run(end_process, range(1)))


def without_seconds(results: list[Result]) -> list[dict[str, object]]:
    return [{name: value for name, value in vars(result).items() if name != "seconds"} for result in results]


def test_match_on_a_failing_cluster_equals_the_match_in_one_process() -> None:
    match = Match("rainbow", 2, {"memory_aid": False}, "cluster", "4")
    todo = list(tasks(pairings([Player("random"), Player("seedling")], 2), 2, 40))
    expected = without_seconds(list(play_all(match, todo, ThisProcess())))
    assert len(expected) == 40
    assert without_seconds(list(play_all(match, todo, FailingCluster(2, (1, 4, 5))))) == expected


def test_executor_is_chosen_by_processes_or_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(executors.make(), ThisProcess)
    assert isinstance(executors.make(1), ThisProcess)
    with executors.make(3) as pool:
        assert pool.in_flight() == 6
    with pytest.raises(BadOption, match="--jobs is for this machine; a Ray cluster uses all its processors"):
        executors.make(2, "ray")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadOption, match=r'a Ray cluster needs Ray: pip install "sevenhues\[ray\]"'):
        executors.make(None, "ray")
