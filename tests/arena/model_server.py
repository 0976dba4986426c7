"""A small HTTP server that answers as a language model's does."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[list[dict[str, str]]], str | int]


class ModelServer:
    """Answers each request by a function of its messages: a text, or the status of an error."""

    def __init__(self, answer: Answer) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        received = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/chat/completions"
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                received.requests.append(body)
                received.keys.append(self.headers["Authorization"])
                given = answer(body["messages"])
                status, content = (given, "") if isinstance(given, int) else (200, given)
                data = json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @contextmanager
    def running(self) -> Iterator["ModelServer"]:
        thread = threading.Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def legal_moves(messages: list[dict[str, str]]) -> list[str]:
    """Return the legal moves that the last question lists."""
    line = next(line for line in messages[-1]["content"].splitlines() if line.startswith("Legal moves: "))
    return line.removeprefix("Legal moves: ").split()
