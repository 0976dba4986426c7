"""The storage of the offline worker in a browser: encrypted, and not lost when the worker ends."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.conftest import CLIENT, require
from tests.server.process import ServerProcess

DRIVER = (Path(__file__).parent / "offline_worker.js").read_text(encoding="utf-8")
STARTED_MS = 240_000  # within which Python has started; reached on failure only
SEALED = ("analyses", "device", "events", "tables")
IV_BYTES, TAG_BYTES = 12, 16


class Device:
    """A page with a worker of offline play."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        (script,) = (CLIENT / "assets").glob("offline-worker-*.js")
        self.page: Page = context.new_page()
        self.page.set_default_timeout(STARTED_MS)
        self.page.add_init_script(DRIVER)
        self.page.goto(f"{url}/manifest.webmanifest")
        self.page.evaluate("(script) => openDevice(script)", f"/assets/{script.name}")

    def run(self, expression: str, value: Any = None) -> Any:
        return self.page.evaluate(expression, value)

    def request(self, method: str, address: str, body: Any = None) -> Any:
        answer = self.run("(call) => device.request(...call)", [method, address, body])
        assert answer["status"] < 300, answer
        return answer["body"]

    def create(self, game: str) -> str:
        table = self.request(
            "POST", "/api/tables", {"game": game, "seats": [{"kind": "me"}, {"kind": "bot", "level": "seedling"}]}
        )
        self.connect(str(table["id"]))
        return str(table["id"])

    def connect(self, table: str) -> None:
        self.run("(table) => device.connect(table)", table)

    def move(self) -> Any:
        return self.run("() => device.move()")

    def wait_for_turn(self) -> int:
        """Wait until this device is to move; return how many moves were made."""
        return int(self.run("async () => (await device.until(device.turn)).ply"))

    def history(self) -> list[Any]:
        """Return the moves of the game, of a page that has just connected."""
        history: list[Any] = self.run("() => device.history()")
        return history


@pytest.fixture
def open_device(browser: Browser, server: ServerProcess) -> Iterator[Callable[[], Device]]:
    """Open pages of one browser context, each with a worker."""
    require((CLIENT / "offline/parts.json").exists(), "the parts of offline play are not built: run `make web`")
    context = browser.new_context()
    context.set_default_timeout(STARTED_MS)
    yield lambda: Device(context, server.url)
    context.close()


def test_stored_games_are_sealed(open_device: Callable[[], Device]) -> None:
    device = open_device()
    table = device.create("rainbow-road")
    for _ in range(3):
        assert device.move()["type"] == "accepted"
    device.wait_for_turn()
    info = device.request("GET", f"/api/tables/{table}")
    stores = device.run("() => dumpStores()")
    assert stores.pop("keys") == [{"extractable": False, "exported": False}]
    assert [one["id"] for one in stores["listed"]] == [table]
    assert all(one.keys() == info.keys() for one in stores.pop("listed")), "the page's list has what the page is sent"
    assert set(stores) == set(SEALED)
    sealed = [value for values in stores.values() for value in values]
    assert len(sealed) > 8
    device.run("() => device.send({ type: 'resign', id: 'end', seat: 0 })")
    device.run("() => device.until(() => device.turn()?.result)")
    record = device.request("GET", f"/api/tables/{table}/record")
    secrets = [json.dumps(record["setup"]), *record["moves"], table, "q" * 20, '"seat"', "MovePlayed", '{"', '":']
    for value in sealed:
        assert value.keys() == {"iv", "data"}
        assert len(value["iv"]) == IV_BYTES
        data = bytes(value["data"])
        assert len(data) > TAG_BYTES
        assert not [text for text in secrets if len(text) > 5 and text.encode() in data]
        with pytest.raises(ValueError, match=r"."):
            json.loads(data)
    assert len({bytes(value["iv"]) for value in sealed}) == len(sealed)


@pytest.mark.parametrize("times", [1, pytest.param(100, marks=pytest.mark.long)])
def test_ended_worker_loses_no_move_that_the_page_was_sent(open_device: Callable[[], Device], times: int) -> None:
    device, rng = open_device(), Random(times)
    table = device.create("rainbow-road")
    told: list[Any] = []
    for _ in range(times):
        if device.run("async () => (await device.until(device.turn)).result") is not None:
            table = device.create("rainbow-road")
        device.run("(count) => device.playUntilEnded(count)", rng.randrange(1, 6))
        told = device.run("() => device.told")
        device.run("() => { device.worker.terminate(); return device.start(); }")
        device.connect(table)
        history = device.history() if told else []
        assert [[ply, history[ply]["text"]] for ply, _ in told] == told
    assert told
