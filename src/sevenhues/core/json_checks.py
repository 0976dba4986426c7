"""Checks of JSON from outside: each returns the value with its type, or raises BadRecord with the place."""

from typing import Any

from sevenhues.core.errors import BadRecord, shorten

MISSING = object()


def describe(value: object) -> str:
    """Name a JSON value in a message."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return shorten(value) if isinstance(value, str) else shorten(str(value))[1:-1]


def an_object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadRecord(where, f"expected an object, found {describe(value)}")
    return value


def a_list(value: object, where: str, length: int = -1) -> list[Any]:
    size = f" of {length}" if length >= 0 else ""
    if not isinstance(value, list) or (length >= 0 and len(value) != length):
        raise BadRecord(where, f"expected a list{size}, found {describe(value)}")
    return value


def a_text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise BadRecord(where, f"expected text, found {describe(value)}")
    return value


def a_number(value: object, where: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadRecord(where, f"expected a whole number from {low} to {high}, found {describe(value)}")
    return value


def part(whole: dict[str, Any], key: str, where: str) -> Any:
    """Return what an object holds under a key that must be there."""
    value = whole.get(key, MISSING)
    if value is MISSING:
        raise BadRecord(where, f"the key {key!r} is missing")
    return value
