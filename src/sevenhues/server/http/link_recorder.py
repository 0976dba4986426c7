"""Records what links users to each other: browsers, passkeys and public networks, from the requests of users."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from litestar.connection import ASGIConnection

from sevenhues.server.accounts import cookies, links
from sevenhues.server.accounts.cookies import SigningKeys
from sevenhues.server.accounts.links import Kind, Link
from sevenhues.server.client_address import address_of, client_network, is_public
from sevenhues.server.http.rate_limits import RateLimit
from sevenhues.server.store import Store

Connection = ASGIConnection[Any, Any, Any, Any]
RENEW_MS = 6 * 3600 * 1000  # after which a link that was seen again is stored again
MAX_REMEMBERED = 20_000  # links that this process has stored lately


class LinkRecorder:
    """Stores links of users; those that were stored lately are not stored again."""

    def __init__(self, store: Store, keys: SigningKeys, now: Callable[[], int], limit: RateLimit) -> None:
        self._store = store
        self._keys = keys
        self._now = now
        self._limit = limit
        self._stored: OrderedDict[tuple[str, str], int] = OrderedDict()  # when, by digest and user id

    async def see_request(self, connection: Connection, user_id: str) -> bool:
        """Record the browser and the public network of a user's request; tell whether something was new.

        Raise Refused if too many were new at the request's address: cookies can be invented.
        """
        found: list[Link] = []
        device = device_of(connection)
        if device is not None:
            found += self._links("device", device)
        network = client_network(connection.scope)
        if is_public(address_of(connection.scope)):
            found += self._links("network", network)
        new = self._new(found, user_id)
        if not new:
            return False
        self._limit.take(network)
        await self._save(new, user_id)
        return True

    async def see_device(self, device: str, *user_ids: str) -> None:
        """Record that users were signed in at one browser."""
        for user_id in user_ids:
            await self._save(self._new(self._links("device", device), user_id), user_id)

    async def see_passkey(self, passkey: str, user_id: str) -> None:
        """Record that a user has a passkey."""
        await self._save(self._new(self._links("passkey", passkey), user_id), user_id)

    def _links(self, kind: Kind, value: str) -> list[Link]:
        names = links.names_of(kind, value, self._now())
        return [Link(kind, digest) for name in names for digest in self._keys.digests(name)]

    def _new(self, found: list[Link], user_id: str) -> list[Link]:
        """Return the links that were not stored lately."""
        since = self._now() - RENEW_MS
        return [one for one in found if self._stored.get((one.digest, user_id), since) <= since]

    async def _save(self, new: list[Link], user_id: str) -> None:
        now_ms = self._now()
        await self._store.write(links.add(new, user_id, now_ms))
        for one in new:
            self._stored[one.digest, user_id] = now_ms
            self._stored.move_to_end((one.digest, user_id))
        while len(self._stored) > MAX_REMEMBERED:
            self._stored.popitem(last=False)


def device_of(connection: Connection) -> str | None:
    """Return the id in the device cookie of a request."""
    return cookies.read_device_id(connection.cookies.get(cookies.DEVICE_COOKIE_NAME))
