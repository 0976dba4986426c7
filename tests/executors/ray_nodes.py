"""Run a Ray cluster of this machine: a head without processors, and two nodes with one each.

The address is printed when the cluster is ready. The line `kill` on standard input kills a node, and the end of
standard input stops the cluster. It is a process of its own because Ray leaves its processes to the garbage collector.
With the argument `client` the head also runs the server of Ray's client, and its address is printed instead.
"""

import socket
import sys
from typing import Any

from ray.cluster_utils import Cluster

LOOPBACK = "127.0.0.1"
MAX_STARTS = 20  # Ray gives a node 30 seconds to start, which is not enough on a busy machine


def start(cluster: Any, with_client: bool = False, **arguments: Any) -> Any:
    """Start a node of a cluster; return it and the port of its server of Ray's client, if it has one."""
    attempts = 0
    while True:
        attempts += 1
        port = free_port() if with_client else None  # a new one, because a node that did not start may have taken it
        try:
            return cluster.add_node(include_dashboard=False, ray_client_server_port=port, **arguments), port
        except Exception as error:
            if attempts == MAX_STARTS:
                raise
            print(f"a node did not start: {error}", file=sys.stderr)


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as server:
        port: int = server.getsockname()[1]
        return port


def main() -> None:
    cluster = Cluster()
    _, port = start(cluster, with_client=sys.argv[1:] == ["client"], num_cpus=0)
    nodes = [start(cluster, num_cpus=1)[0] for _ in range(2)]
    cluster.wait_for_nodes(timeout=600)
    print(f"address ray://{LOOPBACK}:{port}" if port else f"address {cluster.address}", flush=True)
    for line in sys.stdin:
        assert line == "kill\n"
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        print("killed", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
