"""The answer of a running server to the doctor, about itself and about the request.

Only a request that is signed with the server's keys is answered: it may show the addresses of proxies.
"""

import msgspec

PATH = "/api/doctor"
HEADER = "x-sevenhues-doctor"  # the signed question


class Diagnosis(msgspec.Struct):
    """How a request has reached the server, and the state of its process."""

    version: str
    compiled: bool
    scheme: str
    client: str  # the address of the client, as the server sees it
    host: str
    forwarded_for: str | None  # the header that the proxy has sent
    forwarded_proto: str | None
    max_open_files: int
    backup_error: str | None
