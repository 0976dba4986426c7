"""Loads network files: with NumPy, or in another way where there is no NumPy, as in a browser."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from sevenhues.nets.evaluator import PolicyNetwork

Reader = Callable[[str], PolicyNetwork]


def _read_with_numpy(file: str) -> PolicyNetwork:
    network: PolicyNetwork = import_module("sevenhues.nets.network").Network.read(file)
    return network


_readers: list[Reader] = [_read_with_numpy]


def use_reader(reader: Reader) -> None:
    """Read networks by a function from now on."""
    _readers[:] = [reader]
    load_network.cache_clear()


@cache
def load_network(file: str) -> PolicyNetwork:
    """Read a network, once for each file."""
    return _readers[0](file)
