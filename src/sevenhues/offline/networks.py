"""Networks run by JavaScript: reads their files without NumPy."""

import ast
import json
from base64 import b64encode
from collections.abc import Callable
from math import prod
from typing import Any, Final
from zipfile import ZipFile

from sevenhues.core.encoder import Feature
from sevenhues.nets.encoding import is_one_hot
from sevenhues.offline.device import Device, DeviceNetwork

METADATA: Final = "card.npy"
WEIGHTS_FOLDER: Final = "net/"
HEADER_START: Final = 10  # bytes before the header of an array; the last two are its length
HALF_PRECISION: Final = "<f2"
BYTES_OF_HALF: Final = 2


class OfflineNetwork:
    """A policy network that the device evaluates."""

    def __init__(self, metadata: dict[str, Any], network: DeviceNetwork) -> None:
        self.metadata = metadata
        self._network = network

    def evaluate(
        self, features: tuple[Feature, ...], observations: list[list[int]]
    ) -> tuple[list[list[float]], list[float]]:
        described = [(feature.size, feature.high, int(is_one_hot(feature))) for feature in features]
        answer = self._network.evaluate(json.dumps(described), json.dumps(observations))
        logits, values = json.loads(answer)
        return logits, values


def reader(device: Device) -> Callable[[str], OfflineNetwork]:
    """Return a function that reads the network of a file for a device."""

    def read(file: str) -> OfflineNetwork:
        with ZipFile(file) as arrays:
            metadata = json.loads(_array(arrays.read(METADATA))[1])
            shapes, numbers = [], b""
            for name in arrays.namelist():
                if name.startswith(WEIGHTS_FOLDER):
                    header, body = _array(arrays.read(name))
                    size = prod(header["shape"]) * BYTES_OF_HALF
                    assert header["descr"] == HALF_PRECISION
                    assert not header["fortran_order"]
                    assert len(body) == size
                    shapes.append((name.removeprefix(WEIGHTS_FOLDER).removesuffix(".npy"), header["shape"]))
                    numbers += body
        network = device.load_network(json.dumps(shapes), b64encode(numbers).decode())
        return OfflineNetwork(metadata, network)

    return read


def _array(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Split a file of NumPy's format 1 into its header and the numbers."""
    end = HEADER_START + int.from_bytes(data[HEADER_START - 2 : HEADER_START], "little")
    header: dict[str, Any] = ast.literal_eval(data[HEADER_START:end].decode())
    return header, data[end:]
