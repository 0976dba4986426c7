"""What whoever runs the server can choose."""

import os
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_data_path


class Settings(NamedTuple):
    """Everything has a default that suits one machine."""

    data: Path = user_data_path("sevenhues")
    origins: tuple[str, ...] = ()  # other origins that may use the API, such as https://games.example.org
    think: str = "200ms"  # how long bots may search for a move
    pace: int = 700  # milliseconds that a bot takes for a move at least, so that people can follow
    workers: int = max(1, (os.cpu_count() or 2) - 1)  # processes in which bots think
    story: int = 0  # simulations a decision when a story is told; 0 is as many as the best level takes
    unstarted_days: float = 2.0  # a table that never started is removed after so long
    limits: bool = True  # how much one person and one address may ask is bounded
    sockets_of_address: int = 400  # websockets that one address may have open; 0 is no limit
    store: str | None = None  # postgresql://…; by default the SQLite file in `data`
    bus: str | None = None  # redis://…, where several processes use one store
    keys: Path | None = None  # the signing keys, if not in `data`
    dead_days: float = 30.0  # a game that nobody goes on with ends as abandoned after so long

    @property
    def database(self) -> Path:
        return self.data / "sevenhues.db"

    @property
    def key_file(self) -> Path:
        return self.keys or self.data / "signing.keys"

    @property
    def lock_file(self) -> Path:
        return self.data / "serving.lock"
