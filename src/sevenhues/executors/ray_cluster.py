"""An executor on a Ray cluster: every chunk is a task. The nodes of the cluster have this package installed."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Final

from sevenhues import __version__
from sevenhues.core.errors import BadOption
from sevenhues.executors.executor import Done, Executor, run_chunk

LOCAL: Final = "ray"  # an address: the cluster that RAY_ADDRESS names, or that runs on this machine


class RayCluster(Executor):
    """Runs chunks on all processors of a cluster, also of nodes that join later.

    Ray's own retries are off, because `Executor.run` submits a lost chunk again.
    """

    chunk_seconds = 1.0

    def __init__(self, address: str) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise BadOption('a Ray cluster needs Ray: pip install "sevenhues[ray]"') from None
        self._ray: Any = ray
        errors: Any = ray.exceptions
        self.lost_errors = (
            errors.NodeDiedError,
            errors.ObjectLostError,
            errors.OutOfMemoryError,
            errors.WorkerCrashedError,
        )
        try:
            ray.init("auto" if address == LOCAL else address, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise BadOption(f"cannot connect to a Ray cluster ({address}): {error}") from error
        # Ray prints that a node has ended to standard output, among our results, whatever `log_to_driver` says.
        ray._private.worker._worker_logs_enabled = False
        # Ray's decorator has no type that fits a function without a name of its own.
        self._run_chunk: Any = ray.remote(num_cpus=1, max_retries=0)(run_chunk)
        self._function: Callable[[Any], Any] | None = None
        self._stored_function: Any = None
        self._check_nodes()

    def _check_nodes(self) -> None:
        """Raise BadOption unless a node has this version of the package."""
        try:
            found = self._ray.get(self._ray.remote(num_cpus=1, max_retries=0)(installed_version).remote())
        except self._ray.exceptions.RayError as error:
            raise BadOption(f"install sevenhues {__version__} on all nodes of the Ray cluster: {error}") from error
        if found != __version__:
            raise BadOption(f"the Ray cluster has sevenhues {found}, and this machine {__version__}: install the same")

    def in_flight(self) -> int:
        return 2 * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Future[Done]:
        if function is not self._function:  # it may hold much, so it travels to each node once
            self._function, self._stored_function = function, self._ray.put(function)
        future: Future[Done] = self._run_chunk.remote(self._stored_function, items).future()
        return future

    def close(self) -> None:
        """Disconnect; the cluster then stops the tasks that are left."""
        self._ray.shutdown()


def installed_version() -> str:
    """Return the version of the package where this is called."""
    return __version__
