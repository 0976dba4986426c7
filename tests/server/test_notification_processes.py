"""Two server processes over one PostgreSQL send one message, and know of pages that are open at the other one."""

from collections.abc import Callable, Iterator

import pytest

from sevenhues.client import Client
from tests.server.conftest import OPTIONS
from tests.server.notified_players import (
    LOOPBACK,
    join_and_start,
    of_kind,
    subscribe,
    take_turn,
    wait_for_push,
    wait_until_sent,
)
from tests.server.play import wait_until
from tests.server.process import ServerProcess, two_processes
from tests.server.push_service import PushService, serving_pushes

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
TURNS = 6


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with serving_pushes() as running:
        yield running


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory, new_shared_store: Callable[[], tuple[str, ...]]
) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    with two_processes(tmp_path_factory.mktemp("two"), *OPTIONS, LOOPBACK, *new_shared_store()) as servers:
        yield servers


async def test_two_processes_send_one_message(
    servers: tuple[ServerProcess, ServerProcess], service: PushService
) -> None:
    one, two = servers
    browsers = service.browser("ada"), service.browser("ben")
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        settings = await subscribe(ada, browsers[0]), await subscribe(ben, browsers[1])
        assert settings[0]["public_key"] == settings[1]["public_key"], "the key beside the signing keys"
        table = await join_and_start(ada, ben)
        await wait_for_push(service, browsers[0], "turn", table)
        for turn in range(TURNS):
            mover, other = (ada, ben) if turn % 2 == 0 else (ben, ada)
            browser = browsers[1 - turn % 2]
            before = len(of_kind(service.pushed(browser), "turn", table))
            await take_turn(mover, table)
            await wait_for_push(service, browser, "turn", table, before + 1)
            await wait_until_sent(service, other, mover, browser)
            assert len(of_kind(service.pushed(browser), "turn", table)) == before + 1


async def test_page_at_another_process_keeps_messages_away(
    servers: tuple[ServerProcess, ServerProcess], service: PushService
) -> None:
    one, two = servers
    browser = service.browser("looking")
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        await subscribe(ben, browser)
        table = await join_and_start(ada, ben)
        async with ben.live(table) as live:
            await live.set_visible(True)
            await take_turn(ada, table)
            await wait_until(lambda: bool(live.seat_view().legal))
            await live.set_visible(True)  # announced to the other process
            await wait_until_sent(service, ben, ada, browser)
        # The next turn is told: by then it would have come, had it only been held back.
        assert of_kind(service.pushed(browser), "turn", table) == []
        await take_turn(ben, table)
        await take_turn(ada, table)
        assert len(await wait_for_push(service, browser, "turn", table)) == 1


async def test_message_of_a_killed_process_is_sent_by_the_other(
    servers: tuple[ServerProcess, ServerProcess], service: PushService
) -> None:
    one, two = servers
    browser = service.browser("killed")
    async with Client(one.url, "Ada") as ada, Client(two.url, "Ben") as ben:
        await subscribe(ben, browser)
        table = await join_and_start(ada, ben)
        await take_turn(ada, table)
        one.kill()
        try:
            assert len(await wait_for_push(service, browser, "turn", table)) == 1
        finally:
            one.start()
