"""Run a Ray cluster of this machine: a head without processors, and two nodes with one each.

The address is printed when the cluster is ready. The line `kill` on standard input kills a node, and the end of
standard input stops the cluster. It is a process of its own because Ray leaves its processes to the garbage collector.
"""

import sys
from typing import Any

from ray.cluster_utils import Cluster

MAX_STARTS = 20  # Ray gives a node 30 seconds to start, which is not enough on a busy machine


def start(cluster: Any, **arguments: Any) -> Any:
    """Start a node of a cluster."""
    for _ in range(MAX_STARTS - 1):
        try:
            return cluster.add_node(include_dashboard=False, **arguments)
        except Exception as error:
            print(f"a node did not start: {error}", file=sys.stderr)
    return cluster.add_node(include_dashboard=False, **arguments)


def main() -> None:
    cluster = Cluster()
    start(cluster, num_cpus=0)
    nodes = [start(cluster, num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes(timeout=600)
    print(f"address {cluster.address}", flush=True)
    for line in sys.stdin:
        assert line == "kill\n"
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        print("killed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
