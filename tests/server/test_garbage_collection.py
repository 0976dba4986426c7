"""Full garbage collections run at intervals, not after many allocations."""

import gc
import sys
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from sevenhues.server import garbage_collection
from sevenhues.server.garbage_collection import MAX_SHARE, MIN_INTERVAL_SECONDS, FullCollections

OBJECTS = 2_000_000  # so many that Python starts full collections by itself


class Clock:
    """A clock that stands still, but for the time that a full collection is said to take."""

    def __init__(self) -> None:
        self.now = 0.0
        self.collection_seconds = 0.0
        self.full_collections = 0

    def __call__(self) -> float:
        return self.now

    def count(self, phase: str, info: dict[str, Any]) -> None:
        if phase == "stop" and info["generation"] == 2:
            self.full_collections += 1
            self.now += self.collection_seconds


class Node:
    """An object that refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def clock() -> Iterator[Clock]:
    clock = Clock()
    gc.callbacks.append(clock.count)
    yield clock
    gc.callbacks.remove(clock.count)


def allocate() -> list[list[Any]]:
    return [[] for _ in range(OBJECTS)]


def test_allocations_start_no_full_collection_before_the_interval_is_over(clock: Clock) -> None:
    with FullCollections(clock) as collections:
        before = clock.full_collections  # taking over begins with one
        kept = allocate()
        clock.now += MIN_INTERVAL_SECONDS - 1
        collections.run_if_due()
        assert kept
        assert clock.full_collections == before


def test_cycles_are_freed_when_the_interval_is_over(clock: Clock) -> None:
    with FullCollections(clock) as collections:
        node = Node()
        gone = weakref.ref(node)
        kept = allocate()  # the node has survived the collections of young objects
        del node
        assert kept
        assert gone() is not None
        clock.now += MIN_INTERVAL_SECONDS
        collections.run_if_due()
        assert gone() is None


def test_idle_server_is_not_held_up(clock: Clock) -> None:
    with FullCollections(clock) as collections:
        before = clock.full_collections
        clock.now += 100 * MIN_INTERVAL_SECONDS
        collections.run_if_due()
        assert clock.full_collections == before


def test_long_collections_are_rare(clock: Clock) -> None:
    with FullCollections(clock) as collections:
        clock.collection_seconds = 1.0
        clock.now += MIN_INTERVAL_SECONDS
        kept = allocate()
        collections.run_if_due()
        before = clock.full_collections
        clock.now += 1 / MAX_SHARE - 1
        kept += allocate()
        collections.run_if_due()
        assert clock.full_collections == before
        clock.now += 1
        collections.run_if_due()
        assert clock.full_collections == before + 1
        assert kept


def test_garbage_of_an_interval_is_limited(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage_collection, "MAX_NEW_BLOCKS", 1_000_000)
    monkeypatch.setattr(garbage_collection, "MAX_GROWTH", 0.0)
    with FullCollections(clock) as collections:
        before, blocks = clock.full_collections, sys.getallocatedblocks()
        for _ in range(40):
            kept = [Node() for _ in range(100_000)]  # so many that they survive the collections of young objects
            del kept
            assert sys.getallocatedblocks() < blocks + 2_000_000, "all rounds together are four million nodes"
            collections.run_if_due()
        assert clock.full_collections > before


def test_memory_in_use_starts_few_collections(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage_collection, "MAX_NEW_BLOCKS", 1_000)
    kept: list[list[list[Any]]] = []
    with FullCollections(clock) as collections:
        before = clock.full_collections
        for _ in range(200):
            kept.append([[] for _ in range(10_000)])
            collections.run_if_due()
        assert clock.full_collections <= before + 10


def test_thresholds_are_restored(clock: Clock) -> None:
    thresholds = gc.get_threshold()
    with FullCollections(clock):
        assert gc.get_threshold() != thresholds
    assert gc.get_threshold() == thresholds
    assert gc.get_freeze_count() == 0
