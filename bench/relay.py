"""The least a server could do, as a baseline: passes what one of two clients says on to the other. Stores nothing."""

import sys
from typing import Any

import uvicorn

rooms: dict[str, list[Any]] = {}


async def app(scope, receive, send):  # type: ignore[no-untyped-def]
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    room = rooms.setdefault(scope["path"], [])
    room.append(send)
    while (message := await receive())["type"] == "websocket.receive":
        for other in room:
            await other({"type": "websocket.send", "text": message["text"]})


if __name__ == "__main__":
    quiet = {"lifespan": "off", "log_level": "error", "ws_per_message_deflate": False}
    uvicorn.run(app, port=int(sys.argv[1]), ws="websockets-sansio", **quiet)  # type: ignore[arg-type]
