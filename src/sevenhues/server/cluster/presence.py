"""The other processes of a server: what they tell of tables, who is at them there, what to do when they are silent."""

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING, Any

from sevenhues.server.cluster.bus import Here, News
from sevenhues.server.store import StoreFailed

if TYPE_CHECKING:
    from sevenhues.server.live.live_table import Room
    from sevenhues.server.live.live_tables import House

LOOK = 2.0  # seconds between looks at the store, in case news was lost
TELL = 8.0  # seconds between telling who is here, in case that was lost
BELIEVED = 20.0  # seconds that another process is believed about who is there
log = logging.getLogger("sevenhues")


class Neighbours:
    """Keeps this process's tables up with what happens in others."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._here: dict[str, dict[str, tuple[float, Here]]] = {}  # by table and process
        self._tasks: set[asyncio.Task[Any]] = set()

    async def open(self) -> None:
        await self._house.bus.open(self._hear)
        if not self._house.bus.alone:
            self._do(self._look_for_ever())
            self._do(self._tell_for_ever())

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await self._house.bus.close()

    def here(self, table: str) -> tuple[set[str], int]:
        """Tell who is at a table in other processes: persons, and how many watchers."""
        found = [here for until, here in self._here.get(table, {}).values() if monotonic() < until]
        return {person for here in found for person in here.persons}, sum(here.watchers for here in found)

    def announce(self, room: "Room") -> None:
        """Tell the others who is at a table here."""
        if not self._house.bus.alone:
            persons, watchers = room.here()
            self._house.bus.publish(room.table.id, here=Here(sorted(persons), watchers))

    def _hear(self, news: News) -> None:
        if news.here is not None:
            self._here.setdefault(news.table, {})[news.process] = (monotonic() + BELIEVED, news.here)
        room = self._house.rooms.get(news.table)
        if room is None:
            return
        if news.here is not None:
            room.presence_changed()
        elif news.number is None:
            self._do(room.renew_names())
        elif room.table.number < news.number:
            self._do(room.wake())

    async def _look_for_ever(self) -> None:
        """See whether a log has grown that nobody told us of."""
        while True:
            await asyncio.sleep(LOOK)
            rooms = {id: room for id, room in self._house.rooms.items() if room.viewers or not room.idle}
            try:
                for id, number in (await self._house.store.heads(list(rooms))).items():
                    if rooms[id].table.number < number:
                        await rooms[id].wake()
            except StoreFailed as error:
                log.warning("the store is away: %s", error)

    async def _tell_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TELL)
            for room in list(self._house.rooms.values()):
                if room.viewers:
                    self.announce(room)
            now = monotonic()
            for id, processes in list(self._here.items()):
                self._here[id] = {process: told for process, told in processes.items() if now < told[0]}
                if not self._here[id]:
                    del self._here[id]

    def _do(self, what: Any) -> None:
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.warning("a table could not be brought up to date: %s", task.exception())
