"""A websocket server that does the least possible work, as a baseline: it forwards every message to both clients."""

import sys
from typing import Any

import uvicorn

connections: dict[str, list[Any]] = {}  # the `send` functions of both clients, by path


async def app(scope, receive, send):  # type: ignore[no-untyped-def]
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    senders = connections.setdefault(scope["path"], [])
    senders.append(send)
    while (message := await receive())["type"] == "websocket.receive":
        for sender in senders:
            await sender({"type": "websocket.send", "text": message["text"]})


if __name__ == "__main__":
    settings = {"lifespan": "off", "log_level": "error", "ws_per_message_deflate": False}
    uvicorn.run(app, port=int(sys.argv[1]), ws="websockets-sansio", **settings)  # type: ignore[arg-type]
