"""Devices in memory, which stand in for a browser's storage, locks and channels: several of them are its tabs."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from sevenhues.offline.device import DeviceNetwork
from sevenhues.offline.server import SETTINGS, OfflineServer


class MemoryDatabase:
    """The texts of a device. It fails while `failure` is set."""

    def __init__(self) -> None:
        self.stores: dict[str, dict[Any, str]] = {}
        self.failure: Exception | None = None
        self.commits = 0

    async def commit(self, changes: str) -> str:
        await self._turn()
        read: dict[str, list[Any]] = json.loads(changes)
        if not all(self._has(store, key) for store, key in read["need"]):
            return "missing"
        if any(self._has(store, key) for store, key, _ in read["add"]):
            return "exists"
        for store, key, text in read["add"] + read["put"]:
            self.stores.setdefault(store, {})[_key(key)] = text
        for store, key in read["delete"]:
            self.stores.get(store, {}).pop(_key(key), None)
        self.commits += 1
        return "done"

    async def get(self, store: str, key: str) -> str:
        await self._turn()
        return self.stores.get(store, {}).get(key, "")

    async def all(self, store: str) -> str:
        await self._turn()
        return json.dumps(sorted(self.stores.get(store, {}).items()))

    async def log(self, table_id: str, start: int) -> str:
        await self._turn()
        return json.dumps(self.texts(table_id)[start:])

    async def count(self, table_id: str) -> int:
        await self._turn()
        return len(self.texts(table_id))

    async def clear(self) -> None:
        await self._turn()
        self.stores.clear()

    def texts(self, table_id: str) -> list[str]:
        """Return the events of a table."""
        stored = self.stores.get("events", {})
        return [stored[key] for key in sorted(key for key in stored if key[0] == table_id)]

    def _has(self, store: str, key: Any) -> bool:
        return _key(key) in self.stores.get(store, {})

    async def _turn(self) -> None:
        """Let others go first, as a real database does, and fail if it is to."""
        await asyncio.sleep(0)
        if self.failure is not None:
            raise self.failure


def _key(key: Any) -> Any:
    return tuple(key) if isinstance(key, list) else key


class Browser:
    """A browser with one storage. Each of its tabs has a server of its own."""

    def __init__(self) -> None:
        self.database = MemoryDatabase()
        self.tabs: list[Tab] = []
        self.lock_queues: dict[str, list[Tab]] = {}  # the first of each queue holds the lock


class Tab:
    """A tab, which is a device for its server and a page that remembers what it is sent."""

    def __init__(self, browser: Browser, min_move_ms: int = 0) -> None:
        self.browser = browser
        self.database = browser.database
        self.page = self
        self.tabs = self
        self.responses: dict[int, tuple[int, str, str]] = {}
        self.messages: dict[int, list[dict[str, Any]]] = {}
        self.closings: dict[int, tuple[int, str]] = {}
        self.texts: list[str] = []  # everything that the page was sent
        settings = SETTINGS._replace(bot_min_move_ms=min_move_ms)
        device: Any = self
        self.server = OfflineServer(device, settings)
        self._next = 0
        browser.tabs.append(self)

    async def open(self) -> "Tab":
        await self.server.open()
        return self

    async def close(self) -> None:
        """Close the tab."""
        await self.server.close()
        self.vanish()

    def vanish(self) -> None:
        """End as a killed worker does: the browser gives its locks to others."""
        self.server.live_tables.bots.stop()
        if self in self.browser.tabs:
            self.browser.tabs.remove(self)
        for name in list(self.browser.lock_queues):
            self.unlock(name)

    async def request(self, method: str, address: str, body: object = None) -> tuple[int, Any]:
        """Send a request; return the status and the body."""
        self._next += 1
        self.server.request(self._next, method, address, "" if body is None else json.dumps(body))
        number = self._next
        await wait_until(lambda: number in self.responses)
        status, media_type, text = self.responses[number]
        return status, json.loads(text) if media_type == "application/json" else text

    def connect(self, table_id: str) -> int:
        self._next += 1
        self.messages[self._next] = []
        self.server.connect(self._next, table_id)
        return self._next

    def send(self, connection: int, **message: object) -> None:
        self.server.send(connection, json.dumps(message))

    async def receive(self, connection: int, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait for a message, and return it without those before it."""
        received = self.messages[connection]
        await wait_until(lambda: any(wanted(message) for message in received))
        while not wanted(message := received.pop(0)):
            pass
        return message

    def response(self, id: int, status: int, media_type: str, body: str) -> None:
        self.texts.append(body)
        self.responses[id] = status, media_type, body

    def opened(self, connection: int) -> None:
        self.messages[connection].append({"type": "opened"})

    def message(self, connection: int, text: str) -> None:
        self.texts.append(text)
        self.messages[connection].append(json.loads(text))

    def closed(self, connection: int, code: int, reason: str) -> None:
        self.closings[connection] = code, reason

    def publish(self, text: str) -> None:
        for tab in self.browser.tabs:
            if tab is not self:
                tab.server.receive(text)

    def lock(self, name: str) -> None:
        queue = self.browser.lock_queues.setdefault(name, [])
        queue.append(self)
        if queue[0] is self:
            self.server.lock_granted(name)

    def unlock(self, name: str) -> None:
        queue = self.browser.lock_queues[name]
        if self in queue:
            first = queue[0]
            queue.remove(self)
            if queue and first is self:
                queue[0].server.lock_granted(name)

    def load_network(self, arrays: str, numbers: str) -> DeviceNetwork:
        return NumpyNetwork(arrays, numbers)


class NumpyNetwork:
    """A network of a device, run by NumPy."""

    def __init__(self, arrays: str, numbers: str) -> None:
        from base64 import b64decode

        import numpy as np

        from sevenhues.nets.network import Network

        halves, weights, at = np.frombuffer(b64decode(numbers), np.float16), {}, 0
        for name, shape in json.loads(arrays):
            size = int(np.prod(shape))
            weights[name] = halves[at : at + size].reshape(shape)
            at += size
        self._network = Network(weights, {})

    def evaluate(self, features: str, observations: str) -> str:
        from sevenhues.core.encoder import Feature

        described = tuple(Feature("", size, high, "") for size, high, _ in json.loads(features))
        return json.dumps(self._network.evaluate(described, json.loads(observations)))


async def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.001)
