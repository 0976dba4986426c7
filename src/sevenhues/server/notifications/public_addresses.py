"""Addresses that the server may call for a user: public ones alone, checked after the name was resolved.

A user chooses the address of a push subscription. Without this check it could name a machine of the operator's own
network, which only the server can reach.
"""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

NAT64 = IPv6Network("64:ff9b::/96")  # its addresses hold an IPv4 address in their last 32 bits
MAX_URL = 1000  # characters


class NotAllowed(Exception):
    """The server may not call this address."""


def check_url(url: str, to_loopback: bool) -> SplitResult:
    """Return the parts of an https:// URL at the usual port; `to_loopback` also allows http://127.0.0.1:…"""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise NotAllowed("it is not a URL") from None
    if len(url) > MAX_URL or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise NotAllowed("it is too long, or has characters that a URL has not")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise NotAllowed("it has a user name, a password or a fragment")
    if to_loopback and parts.scheme == "http" and host == "127.0.0.1":
        return parts
    if parts.scheme != "https" or port not in (None, 443):
        raise NotAllowed("it is not https:// at port 443")
    if not host or ":" in host or host.endswith(".") or "." not in host:
        raise NotAllowed("its host is not a name")
    return parts


def is_public(address: str) -> bool:
    """Tell whether an IP address belongs to a machine of the public internet."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = _inner_address(ip)
    if inner is not None:
        return is_public(str(inner))
    if isinstance(ip, IPv6Address) and ip.is_site_local:
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_private)


def _inner_address(ip: IPv4Address | IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for."""
    if isinstance(ip, IPv4Address):
        return None
    if ip in NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.teredo is not None:
        return ip.teredo[1]
    return ip.ipv4_mapped or ip.sixtofour


async def public_address(host: str, port: int, to_loopback: bool = False) -> str:
    """Resolve a name and return an address to connect to; raise NotAllowed if one of its addresses is not public.

    The caller connects to the address that was checked: resolving the name again could give another one.
    """
    if to_loopback and host == "127.0.0.1":
        return host
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not all(is_public(address) for address in addresses):
        raise NotAllowed("its host is not a machine of the public internet")
    return addresses[0]
