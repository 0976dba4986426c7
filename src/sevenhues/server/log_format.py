"""The server's own words: one JSON object a line, without cookies, codes or what is in a request."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

FIELDS = ("table", "game", "seat", "level", "route", "status", "milliseconds", "address", "url")


class JsonLines(logging.Formatter):
    """Formats a line that programs read and people can."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "what": record.getMessage()}
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name) and name != "level"}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def configure(level: str) -> None:
    """Send our log, and uvicorn's, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("sevenhues", "uvicorn", "uvicorn.error", "litestar"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
    # Not every connection is worth a line, and none of its address.
    logging.getLogger("uvicorn.error").setLevel("WARNING")
    logging.getLogger("uvicorn.access").disabled = True
