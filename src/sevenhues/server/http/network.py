"""Routes of the server itself: its addresses in the local network, and the maintenance that is announced."""

import ipaddress
import socket

from litestar import get

from sevenhues import protocol
from sevenhues.server.client_address import address_of
from sevenhues.server.http.context import AnyRequest, context_of


@get("/api/server", tags=["server"], sync_to_thread=False)
def show_server(request: AnyRequest) -> protocol.ServerInfo:
    """Return the addresses at which other devices reach the server; only a browser on the same machine gets them."""
    is_local = _is_loopback(address_of(request.scope)) and _is_loopback(request.url.hostname or "")
    return protocol.ServerInfo(context_of(request).network_urls if is_local else [])


@get("/api/maintenance", tags=["server"], sync_to_thread=False)
def show_maintenance(request: AnyRequest) -> protocol.MaintenanceWindows:
    """Return the maintenance windows that are announced."""
    return protocol.MaintenanceWindows(context_of(request).maintenance().windows)


def network_urls(host: str, port: int) -> list[str]:
    """Return the URLs of a server that listens on all interfaces; an empty list if it listens on one alone."""
    if host not in ("0.0.0.0", "::"):
        return []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the interface to other machines
        except OSError:
            return []
        address: str = probe.getsockname()[0]
    return [] if _is_loopback(address) else [f"http://{address}:{port}"]


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


ROUTES = (show_server, show_maintenance)
