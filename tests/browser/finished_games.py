"""Finished games on a server, uploaded over the API: their replays, and their analyses."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import httpx

from sevenhues import load
from sevenhues.core import record
from sevenhues.core.play import deal, random_game
from sevenhues.core.rng import Rng

PATIENCE = 120.0


@cache
def random_record(name: str, most_moves: int | None = None) -> str:
    """Return the record of a game of random moves, always the same; after the most moves seat 1 resigns."""
    game = load(name)
    written = record.begin(game, deal(game, b"story"), {}, ["Ada", "Bo"])
    position = written.start()
    moves = random_game(game, position, Rng.seeded("story"))
    written.moves = moves[:most_moves]
    if written.moves != moves:
        *_, position = record.replay(written)
        written.result = {"reason": "resigned", "scores": position.scores(), "winners": [0]}
    else:
        written.result = record.result_of(position)
    return record.write(written)


@contextmanager
def guest(url: str) -> Iterator[httpx.Client]:
    """Open a connection to the API as a new user."""
    with httpx.Client(base_url=url, timeout=60, headers={"content-type": "application/json", "origin": url}) as client:
        client.get("/api/me")
        yield client


def upload(url: str, name: str, most_moves: int | None = None) -> str:
    """Upload a finished game and return its table."""
    with guest(url) as client:
        answer = client.post("/api/records", content=random_record(name, most_moves)).raise_for_status()
        table: str = answer.json()["id"]
        return table


def analyse(url: str, table: str) -> None:
    """Have a game analysed, and wait for it."""
    with guest(url) as client:
        client.post(f"/api/tables/{table}/analysis").raise_for_status()
        deadline = time.monotonic() + PATIENCE
        while client.get(f"/api/tables/{table}/analysis").json().get("report") is None:
            assert time.monotonic() < deadline, "the analysis did not end"
            time.sleep(0.05)
