"""The interface that JavaScript gives to an offline server: storage, other tabs, and networks.

All values are texts or numbers. Where a text is missing, it is empty. A method that fails raises an exception.
"""

from typing import Protocol


class Database(Protocol):
    """Texts by store and key, kept on the device. A key is a text; of events it is a table's id and a number.

    The stores `tables`, `events`, `analyses` and `device` are encrypted. Pages may read the store `listed`.
    """

    async def commit(self, changes: str) -> str:
        """Make changes, all or none, and return once they are durable.

        The changes are a JSON object of lists. `need` has pairs of a store and a key that must exist, or `missing` is
        returned. `add` has triples of a store, a key and a text; if a key exists, `exists` is returned. `put` has such
        triples that replace what is there, and `delete` has pairs. If everything is changed, `done` is returned.
        """

    async def get(self, store: str, key: str) -> str:
        """Return a text; an empty one if there is none."""

    async def all(self, store: str) -> str:
        """Return a JSON list of the pairs of a store, each a key and a text. The store is not `events`."""

    async def log(self, table_id: str, start: int) -> str:
        """Return a JSON list of a table's events from a number on."""

    async def count(self, table_id: str) -> int:
        """Return the number of a table's events."""

    async def clear(self) -> None:
        """Delete everything."""


class Page(Protocol):
    """The page, or several frames of it, that the server plays for."""

    def response(self, id: int, status: int, media_type: str, body: str) -> None: ...

    def opened(self, connection: int) -> None: ...

    def message(self, connection: int, text: str) -> None: ...

    def closed(self, connection: int, code: int, reason: str) -> None: ...


class Tabs(Protocol):
    """The workers of other tabs. What they publish arrives at `OfflineServer.receive`."""

    def publish(self, text: str) -> None: ...

    def lock(self, name: str) -> None:
        """Request a lock that one tab holds at a time; `OfflineServer.lock_granted` is called when it is granted."""

    def unlock(self, name: str) -> None:
        """Give up a lock or its request."""


class DeviceNetwork(Protocol):
    """A neural network that JavaScript runs."""

    def evaluate(self, features: str, observations: str) -> str:
        """Return a JSON list of two lists, of logits and of values, for a JSON list of observations.

        The features are a JSON list of triples: the size, the highest number, and 1 for one-hot encoding.
        """


class Device(Protocol):
    """The functions of the browser that an offline server uses, from JavaScript."""

    database: Database
    page: Page
    tabs: Tabs

    def load_network(self, arrays: str, numbers: str) -> DeviceNetwork:
        """Return a network of half-precision arrays.

        `arrays` is a JSON list of each array's name and shape, and `numbers` has all of them, in Base64.
        """
