"""The address of a client, and the network whose clients share the limits of one address."""

import ipaddress

from litestar.types import Scope

IPV6_PREFIX = 64  # bits: the network of one site, in which a client can choose its address


def address_of(scope: Scope) -> str:
    """Return the address of the client; behind a trusted proxy, the one that the proxy reports."""
    client = scope["client"]
    return client[0] if client is not None else "unknown"


def network_of(address: str) -> str:
    """Return the network that is limited as one: an IPv4 address, or the /64 of an IPv6 address."""
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, IPV6_PREFIX), strict=False))


def is_public(address: str) -> bool:
    """Tell whether an address belongs to the internet, not to a machine, a private network or a carrier's network."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_global


def client_network(scope: Scope) -> str:
    """Return the network of a request's client."""
    return network_of(address_of(scope))
