"""The proxy in a thread: it leaves no socket open."""

import asyncio
import gc
import socket
import threading
import warnings
from contextlib import ExitStack

from tests.server.proxy import LIMIT_SECONDS, ThreadedProxy

TRIES = 10  # one does not always meet the moment


class SilentProxy(ThreadedProxy):
    """Reads what clients send, and answers nothing."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    def pause(self, until: threading.Event) -> None:
        """Let the event loop do nothing until an event."""
        self._loop.call_soon_threadsafe(until.wait, LIMIT_SECONDS)

    def request_end(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)


def test_connections_that_come_while_a_proxy_closes_are_closed() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(TRIES):
            connect_while_it_closes()
        gc.collect()
    assert [str(one.message) for one in seen if "unclosed" in str(one.message)] == []


def connect_while_it_closes() -> None:
    go_on = threading.Event()
    with ExitStack() as clients, SilentProxy() as proxy:
        host, _, port = proxy.url.removeprefix("http://").partition(":")
        proxy.pause(go_on)
        for _ in range(5):
            clients.enter_context(socket.create_connection((host, int(port))))
        proxy.request_end()
        go_on.set()  # the loop accepts the connections and ends in one step
