"""Running many independent items of work: in this process, in several, or on a Ray cluster."""

from sevenhues.core.errors import BadOption
from sevenhues.executors.executor import Executor
from sevenhues.executors.local import Processes, ThisProcess

__all__ = ["Executor", "make"]


def make(jobs: int | None = None, cluster: str | None = None) -> Executor:
    """Return the executor with so many processes of this machine, by default one, or the Ray cluster at an address."""
    if cluster is not None:
        if jobs is not None:
            raise BadOption("--jobs is for this machine; a Ray cluster uses all its processors")
        from sevenhues.executors.ray_cluster import RayCluster

        return RayCluster(cluster)
    return ThisProcess() if jobs in (None, 1) else Processes(jobs or 1)
