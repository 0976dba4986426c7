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
def random_record(name: str) -> str:
    """Return the record of a whole game of random moves, always the same."""
    game = load(name)
    position = deal(game, b"story")
    written = record.begin(game, position, {}, ["Ada", "Bo"])
    written.moves = random_game(game, position, Rng.seeded("story"))
    written.result = record.result_of(position)
    return record.write(written)


@contextmanager
def guest(url: str) -> Iterator[httpx.Client]:
    """Open a connection to the API as a new user."""
    with httpx.Client(base_url=url, headers={"content-type": "application/json", "origin": url}) as client:
        client.get("/api/me")
        yield client


def upload(url: str, name: str) -> str:
    """Upload a finished game and return its table."""
    with guest(url) as client:
        table: str = client.post("/api/records", content=random_record(name)).raise_for_status().json()["id"]
        return table


def upload_analysed(url: str, name: str) -> str:
    """Upload a finished game, have it analysed, and return its table."""
    table = upload(url, name)
    with guest(url) as client:
        client.post(f"/api/tables/{table}/analysis").raise_for_status()
        deadline = time.monotonic() + PATIENCE
        while client.get(f"/api/tables/{table}/analysis").json().get("story") is None:
            assert time.monotonic() < deadline, "the analysis did not end"
            time.sleep(0.1)
        return table
