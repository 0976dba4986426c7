"""Finished games with their stories, there before anybody looks: what a replay shows at its fullest."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from sevenhues import load
from sevenhues.core import record
from sevenhues.core.play import deal, random_game
from sevenhues.core.rng import Rng

PATIENCE = 120.0


def played(name: str) -> str:
    """Return the record of a whole game, played at random."""
    game = load(name)
    position = deal(game, b"story")
    found = record.begin(game, position, {}, ["Ada", "Bo"])
    found.moves = random_game(game, position, Rng.seeded("story"))
    found.result = record.result_of(position)
    return record.write(found)


@contextmanager
def guest(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, headers={"content-type": "application/json", "origin": url}) as house:
        house.get("/api/me")
        yield house


def bring(url: str, name: str) -> str:
    """Upload a game and return the table of its replay."""
    with guest(url) as house:
        table: str = house.post("/api/records", content=played(name)).raise_for_status().json()["id"]
        return table


def told(url: str, name: str) -> str:
    """Upload a game, have its story told, and return the path of its replay."""
    table = bring(url, name)
    with guest(url) as house:
        house.post(f"/api/tables/{table}/analysis").raise_for_status()
        deadline = time.monotonic() + PATIENCE
        while house.get(f"/api/tables/{table}/analysis").json().get("story") is None:
            assert time.monotonic() < deadline, "the story was not told"
            time.sleep(0.1)
        return f"/t/{table}/replay"
