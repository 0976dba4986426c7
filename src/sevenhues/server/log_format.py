"""The format of the log: one JSON object per line, without cookies, transfer codes, names or bodies of requests.

The id of a table is a private link, so that it is logged as a hash.
"""

import json
import logging
import re
import sys
import threading
from datetime import UTC, datetime
from hashlib import sha256
from types import TracebackType
from typing import Any

# Attributes of a log record that are written; a bot's level is `bot_level`, as `level` is that of the line.
FIELDS = ("game", "seat", "bot_level", "route", "status", "duration_ms", "address", "url", "backup")
TABLE_ID = re.compile(r"\b[a-z]+-[a-z]+-[a-z0-9]{7}\b")  # in messages of errors
HASH_DIGITS = 12
log = logging.getLogger("sevenhues")


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": time, "level": record.levelname.lower()}
        line["message"] = _without_table_ids(record.getMessage())
        if hasattr(record, "table"):
            line["table"] = table_hash(record.table)
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["exception"] = _without_table_ids(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def table_hash(table_id: str) -> str:
    """Return the hash by which a table is logged."""
    return sha256(table_id.encode()).hexdigest()[:HASH_DIGITS]


def _without_table_ids(text: str) -> str:
    return TABLE_ID.sub(lambda found: table_hash(found[0]), text)


def configure(level: str) -> None:
    """Write the logs, warnings and uncaught exceptions of this process to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.root.handlers = [handler]  # of asyncio and other libraries
    logging.captureWarnings(True)
    for name in ("sevenhues", "uvicorn", "uvicorn.error", "litestar"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level.upper())
    # uvicorn would log every connection with its address, and warn of every request that it cannot read: a client
    # could fill the disk.
    logging.getLogger("uvicorn.error").setLevel("WARNING" if level == "debug" else "ERROR")
    logging.getLogger("uvicorn.access").disabled = True
    sys.excepthook = _log_uncaught
    sys.unraisablehook = lambda found: _log_uncaught(found.exc_type, found.exc_value, found.exc_traceback)
    threading.excepthook = lambda found: _log_uncaught(found.exc_type, found.exc_value, found.exc_traceback)


def configure_worker() -> None:
    """Write the logs of a worker process as its parent does."""
    configure("warning")


def _log_uncaught(kind: type[BaseException], error: BaseException | None, traceback: TracebackType | None) -> None:
    log.critical("uncaught exception", exc_info=(kind, error or kind(), traceback))
