"""Findings: the results of checks."""

from collections.abc import Iterable
from typing import Any, Final, Literal, NamedTuple

Status = Literal["ok", "skipped", "warning", "error"]
EXIT_STATUSES: Final[dict[Status, int]] = {"ok": 0, "skipped": 0, "warning": 1, "error": 2}


class Finding(NamedTuple):
    """The result of a check."""

    check: str
    status: Status
    text: str
    advice: str = ""  # what to do about it

    def as_json(self) -> dict[str, Any]:
        return self._asdict()


def ok(check: str, text: str) -> Finding:
    return Finding(check, "ok", text)


def skipped(check: str, text: str) -> Finding:
    return Finding(check, "skipped", text)


def warning(check: str, text: str, advice: str) -> Finding:
    return Finding(check, "warning", text, advice)


def error(check: str, text: str, advice: str) -> Finding:
    return Finding(check, "error", text, advice)


def exit_status(findings: Iterable[Finding]) -> int:
    """Return 2 if there is an error, 1 if there is a warning, otherwise 0."""
    return max((EXIT_STATUSES[finding.status] for finding in findings), default=0)
