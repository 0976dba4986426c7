"""Checks of JSON from outside. Each returns the value with its type, or raises BadRecord with the path of the value."""

from typing import Any

from sevenhues.core.errors import BadRecord, shorten

MISSING = object()


def describe(value: object) -> str:
    """Describe a JSON value for a message."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return shorten(value) if isinstance(value, str) else shorten(str(value))[1:-1]


def require_object(value: object, path: str) -> dict[str, Any]:
    """Return the value if it is an object."""
    if not isinstance(value, dict):
        raise BadRecord(path, f"expected an object, found {describe(value)}")
    return value


def require_list(value: object, path: str, length: int = -1) -> list[Any]:
    """Return the value if it is a list, and has this length unless that is negative."""
    size = f" of {length}" if length >= 0 else ""
    if not isinstance(value, list) or (length >= 0 and len(value) != length):
        raise BadRecord(path, f"expected a list{size}, found {describe(value)}")
    return value


def require_text(value: object, path: str) -> str:
    """Return the value if it is a string."""
    if not isinstance(value, str):
        raise BadRecord(path, f"expected text, found {describe(value)}")
    return value


def require_int(value: object, path: str, low: int, high: int) -> int:
    """Return the value if it is a whole number from `low` to `high`."""
    if type(value) is not int or not low <= value <= high:
        raise BadRecord(path, f"expected a whole number from {low} to {high}, found {describe(value)}")
    return value


def require_key(fields: dict[str, Any], key: str, path: str) -> Any:
    """Return the value of a key of an object; `path` is that of the object."""
    value = fields.get(key, MISSING)
    if value is MISSING:
        raise BadRecord(path, f"the key {key!r} is missing")
    return value
