"""Reports of processes on their load and on problems, which they send each other for operators."""

from time import monotonic

import msgspec

EXPIRY_SECONDS = 10.0  # after which the process of a report is taken to have stopped


class LoggedProblem(msgspec.Struct):
    """A warning or an error in the log of a process."""

    at: int
    level: str
    text: str


class ProcessReport(msgspec.Struct):
    """The load of a process, and its latest warnings and errors."""

    host: str
    pid: int
    version: str
    started: int
    at: int
    connections: int  # websockets
    tables: int  # in memory
    searches: int  # of bots, which wait or run
    loop_delay_ms: float  # the longest delay of the event loop within ten seconds
    store_ms: float  # that a query took
    memory_mb: int  # the most so far
    problems: list[LoggedProblem] = []


class ProcessReports:
    """The latest reports of other processes."""

    def __init__(self) -> None:
        self._reports: dict[str, tuple[float, ProcessReport]] = {}  # when they expire, by process

    def add(self, process: str, report: ProcessReport) -> None:
        self._reports[process] = monotonic() + EXPIRY_SECONDS, report

    def latest(self) -> list[ProcessReport]:
        """Return the reports of the processes that run."""
        now = monotonic()
        self._reports = {process: one for process, one in self._reports.items() if now < one[0]}
        return [report for _, report in self._reports.values()]
