"""Two identities of one person gain no rating from each other: the ways to try it, and whether they are stopped.

The servers believe a proxy that reports addresses. Addresses of the local machine link nobody, so that what is stopped
without an address is stopped by cookies and passkeys alone.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from sevenhues import protocol
from sevenhues.client import Client
from sevenhues.server.jobs.rating_rebuild import rebuild_ratings
from sevenhues.server.store.postgres import PostgresStore
from tests.cli.command import invoke
from tests.server.authenticator import Authenticator
from tests.server.conftest import OPTIONS
from tests.server.play import play_and_resign, play_one_turn_each, start_game, wait_until
from tests.server.process import ServerProcess
from tests.server.rated_games import all_rating_rows

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
HOME, OFFICE = "8.8.4.4", "9.9.9.9"  # public addresses, to which nothing is sent
DEVICE = "sevenhues-device"
Pair = tuple[Client, Client]


@pytest.fixture(scope="module")
def proxied_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that believes the addresses which 127.0.0.1 reports."""
    data = tmp_path_factory.mktemp("proxied")
    with ServerProcess(data, *OPTIONS, "--trusted-proxy", "127.0.0.1") as running:
        yield running


class Person:
    """Somebody with any number of browsers, who does what they like with cookies."""

    def __init__(self, server: ServerProcess, stack: AsyncExitStack) -> None:
        self.server = server
        self._stack = stack

    async def browser(self, address: str | None = None, **cookies: str) -> Client:
        """Open a browser with cookies: a private window if there are none."""
        client = Client(self.server.url)
        for name, value in cookies.items():
            client._http.cookies.set(name.replace("_", "-"), value, domain="127.0.0.1")
        if address is not None:
            client._http.headers["x-forwarded-for"] = address
        return await self._stack.enter_async_context(client)

    async def copy(self, browser: Client, *names: str) -> Client:
        """Open a browser with the named cookies of another one."""
        values = cookies_of(browser)
        return await self.browser(**{name.replace("-", "_"): values[name] for name in names})

    async def new_guest(self, browser: Client) -> Client:
        """Forget the account in a browser; return the browser with a new guest."""
        guest = await self.copy(browser, DEVICE)
        assert guest.me.id != browser.me.id
        return guest


def cookies_of(browser: Client) -> dict[str, str]:
    return {cookie.name: cookie.value or "" for cookie in browser._http.cookies.jar}


async def post(browser: Client, path: str, body: Any = None) -> Any:
    """Send a request of a page at localhost, which may use passkeys."""
    host = f"localhost:{browser._http.base_url.port}"
    headers = {"host": host, "origin": f"http://{host}"}
    answer = await browser._http.post(path, json=body, headers=headers)
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


async def use(browser: Client) -> None:
    """Do something that is recorded with the browser in which it is done."""
    await browser.create_table("rainbow", ["me", "open"])


async def add_passkey(browser: Client) -> Authenticator:
    key = Authenticator(f"http://localhost:{browser._http.base_url.port}")
    await register(browser, key)
    return key


async def register(browser: Client, key: Authenticator) -> None:
    await post(browser, "/api/me/passkeys", key.create(await post(browser, "/api/me/passkeys/challenge")))


# -- Ways that are stopped -------------------------------------------------------------------------------------------


async def sign_out_and_play_as_a_guest(person: Person) -> Pair:
    ada = await person.browser()
    await post(ada, "/api/me/recovery-code")
    elsewhere = await person.copy(ada, "sevenhues")
    await post(ada, "/api/me/sign-out")
    return elsewhere, await person.new_guest(ada)


async def copy_all_cookies_to_another_browser(person: Person) -> Pair:
    ada = await person.browser()
    await use(ada)
    return ada, await person.new_guest(await person.copy(ada, "sevenhues", DEVICE))


async def delete_the_device_cookie_after_it_was_used(person: Person) -> Pair:
    ada = await person.browser()
    await use(ada)
    ben = await person.new_guest(ada)
    await use(ben)
    return await person.copy(ada, "sevenhues"), await person.copy(ben, "sevenhues")


async def use_a_transfer_code(person: Person) -> Pair:
    ada, phone = await person.browser(), await person.browser()
    guest = await person.copy(phone, "sevenhues")  # in a third browser
    await phone.transfer((await ada.transfer_code()).code)
    return ada, guest


async def use_a_transfer_code_without_a_device_cookie(person: Person) -> Pair:
    ada, phone = await person.browser(), await person.browser()
    guest = await person.copy(phone, "sevenhues")
    phone._http.cookies.delete(DEVICE, "127.0.0.1", "/")
    await phone.transfer((await ada.transfer_code()).code)
    return ada, guest


async def sign_in_with_a_passkey(person: Person) -> Pair:
    ada, phone = await person.browser(), await person.browser()
    guest = await person.copy(phone, "sevenhues")
    key = await add_passkey(ada)
    await post(phone, "/api/me/sign-in", key.sign(await post(phone, "/api/me/sign-in/challenge", {"leave": True})))
    return ada, guest


async def move_a_passkey_to_another_account(person: Person) -> Pair:
    ada, ben = await person.browser(), await person.browser()
    key = await add_passkey(ada)
    assert (await ada._http.delete(f"/api/me/passkeys/{key.id}")).is_success
    await register(ben, key)
    return ada, ben


async def sign_in_with_a_recovery_code(person: Person) -> Pair:
    ada, phone = await person.browser(), await person.browser()
    guest = await person.copy(phone, "sevenhues")
    code = (await post(ada, "/api/me/recovery-code"))["code"]
    await post(phone, "/api/me/recover", {"code": code, "leave": True})
    return ada, guest


async def play_from_the_same_public_address(person: Person) -> Pair:
    return await person.browser(HOME), await person.browser(HOME)


async def join_at_home_and_play_elsewhere(person: Person) -> Pair:
    ada, ben = await person.browser(HOME), await person.browser(HOME)
    for browser, address in ((ada, OFFICE), (ben, "1.0.0.1")):
        await use(browser)
        browser._http.headers["x-forwarded-for"] = address
    return ada, ben


async def let_another_account_of_the_browser_play_from_home(person: Person) -> Pair:
    ada, ben = await person.browser(OFFICE), await person.browser(HOME)
    await use(ada)
    guest = await person.new_guest(ada)
    guest._http.headers["x-forwarded-for"] = HOME
    await use(guest)
    return ada, ben


async def delete_data_and_come_back_in_the_same_browser(person: Person) -> Pair:
    ada = await person.browser()
    await use(ada)
    ben = await person.new_guest(ada)
    await use(ben)
    await ben.delete()
    return ada, await person.new_guest(ben)


async def delete_the_account_that_joins_two_browsers(person: Person) -> Pair:
    ada, laptop = await person.browser(), await person.browser()
    await use(ada)
    ben = await person.new_guest(ada)
    await laptop.transfer((await ben.transfer_code()).code)
    await laptop.delete()
    return ada, await person.new_guest(laptop)


async def play_by_accounts_that_a_third_one_joins(person: Person) -> Pair:
    first, second = await person.browser(), await person.browser()
    for browser in (first, second):
        await use(browser)
    ben = await person.new_guest(first)
    await second.transfer((await ben.transfer_code()).code)
    return await person.copy(first, "sevenhues"), await person.new_guest(second)


# -- Ways that cannot be stopped, or are somebody else ---------------------------------------------------------------


async def open_a_private_window_in_a_private_network(person: Person) -> Pair:
    return await person.browser(), await person.browser()


async def use_another_device_in_another_network(person: Person) -> Pair:
    return await person.browser(HOME), await person.browser(OFFICE)


async def share_a_private_address(person: Person) -> Pair:
    return await person.browser("192.168.1.7"), await person.browser("192.168.1.7")


STOPPED = (
    sign_out_and_play_as_a_guest,
    copy_all_cookies_to_another_browser,
    delete_the_device_cookie_after_it_was_used,
    use_a_transfer_code,
    use_a_transfer_code_without_a_device_cookie,
    sign_in_with_a_passkey,
    move_a_passkey_to_another_account,
    sign_in_with_a_recovery_code,
    play_from_the_same_public_address,
    join_at_home_and_play_elsewhere,
    let_another_account_of_the_browser_play_from_home,
    delete_data_and_come_back_in_the_same_browser,
    delete_the_account_that_joins_two_browsers,
    play_by_accounts_that_a_third_one_joins,
)
NOT_STOPPED = (
    open_a_private_window_in_a_private_network,
    use_another_device_in_another_network,
    share_a_private_address,
)
Way = Callable[[Person], Coroutine[Any, Any, Pair]]


@pytest.fixture
async def person(proxied_server: ServerProcess) -> AsyncIterator[Person]:
    async with AsyncExitStack() as stack:
        yield Person(proxied_server, stack)


async def ratings_of(browser: Client) -> list[protocol.GameRating]:
    return (await browser.profile(browser.me.player)).ratings


@pytest.mark.parametrize("way", STOPPED, ids=lambda way: way.__name__)
async def test_way_to_gain_rating_from_oneself_is_stopped(person: Person, way: Way) -> None:
    ada, ben = await way(person)
    await gain_from_a_stranger(person, ada)
    before = await ratings_of(ada)
    table = await play_and_resign(ada, ben)
    assert (await ada.table(table)).unrated == "same-person"
    assert (await ada.rating_changes(table)).seats == []
    assert await ratings_of(ada) == before
    assert await ratings_of(ben) == []


async def gain_from_a_stranger(person: Person, ada: Client) -> None:
    """Give a player a rating that can be compared, by a game that counts."""
    table = await play_and_resign(ada, await person.browser())
    assert len((await ada.rating_changes(table)).seats) == 2


@pytest.mark.parametrize("way", NOT_STOPPED, ids=lambda way: way.__name__)
async def test_way_to_gain_rating_from_oneself_that_is_not_stopped(person: Person, way: Way) -> None:
    ada, ben = await way(person)
    table = await play_and_resign(ada, ben)
    assert (await ada.table(table)).unrated is None
    assert [rating.games for rating in await ratings_of(ada)] == [1]


async def test_accounts_that_change_places_during_their_game_gain_nothing(person: Person) -> None:
    ada, ben = await person.browser(), await person.browser()
    table = (await ada.create_table("rainbow", ["me", "open"])).id
    assert (await ben.join(table)).unrated is None
    async with ada.live(table) as first, ben.live(table) as second:
        await start_game(first, second)
        await play_one_turn_each(first, second)
        other_way = await person.browser(sevenhues=ben.cookie, sevenhues_device=cookies_of(ada)[DEVICE])
        async with other_way.live(table) as third:
            assert (await ada.table(table)).unrated == "same-person"
            await third.resign(1)
        await wait_until(lambda: first.table is not None and first.table.result is not None)
        assert first.table is not None
        assert first.table.unrated == "same-person", "the table says so together with the result"
    assert await ratings_of(ada) == await ratings_of(ben) == []


async def play_with_a_guest(person: Person, ada: Client) -> tuple[Client, Callable[[], Coroutine[Any, Any, Any]]]:
    guest = await person.new_guest(ada)
    return guest, guest.delete


async def play_with_an_own_bot(person: Person, ada: Client) -> tuple[Client, Callable[[], Coroutine[Any, Any, Any]]]:
    new = await ada.create_bot("Deep Hue")
    bot = await person._stack.enter_async_context(Client(ada.url, token=new.token))
    return bot, lambda: ada.delete_bot(new.bot.player)


@pytest.mark.parametrize("way", [play_with_a_guest, play_with_an_own_bot], ids=lambda way: way.__name__)
async def test_identity_that_is_deleted_during_the_game_brings_nothing(person: Person, way: Any) -> None:
    ada = await person.browser()
    other, delete = await way(person, ada)
    table = (await ada.create_table("rainbow", ["me", "open"], bots_welcome=True)).id
    await other.join(table)
    async with ada.live(table) as first, other.live(table) as second:
        await start_game(first, second)
        await play_one_turn_each(first, second)
        await delete()
        await wait_until(lambda: first.table is not None and first.table.result is not None)
    assert (await ada.table(table)).unrated == "same-person"
    assert (await ada.rating_changes(table)).seats == []
    assert await ratings_of(ada) == []


async def test_table_says_before_the_game_that_it_does_not_count(person: Person) -> None:
    ada, zoe = await person.browser(), await person.browser()
    await use(ada)
    ben = await person.new_guest(ada)
    table = await ada.create_table("rainbow", ["me", "open"], public=True)
    assert table.unrated is None
    async with zoe.live(table.id) as watcher:
        joined = await ben.join(table.id)
        assert joined.unrated == "same-person"
        await wait_until(lambda: watcher.table is not None and watcher.table.unrated == "same-person")
        # Nothing names the accounts, or what they share.
        shown = (await zoe._http.get(f"/api/tables/{table.id}")).text
        for secret in (ada.me.id, ben.me.id, cookies_of(ada)[DEVICE]):
            assert secret not in shown
        await ben.leave(table.id, 1)
        await zoe.join(table.id)
        await wait_until(lambda: watcher.table is not None and watcher.table.unrated is None)


async def test_browser_keeps_its_cookie_and_others_are_not_needed(person: Person) -> None:
    ada = await person.browser()
    device = cookies_of(ada)[DEVICE]
    answer = await ada._http.get("/api/me")
    own = next(one for one in answer.headers.get_list("set-cookie") if one.startswith(DEVICE)).lower()
    assert device in own
    assert "httponly" in own
    assert "samesite=lax" in own
    await ada.delete()
    assert cookies_of(ada) == {DEVICE: device}
    # A cookie of an older release comes without one, and a broken one is replaced.
    zoe = await person.browser()
    account = zoe.cookie
    zoe._http.cookies.clear()
    zoe._http.cookies.set("sevenhues", account, domain="127.0.0.1")
    assert (await zoe.create_table("rainbow", ["me", "open"])).your_seats == [0]
    broken = await person.browser(sevenhues=account, sevenhues_device="x" * 32)
    assert broken.me.id == zoe.me.id
    assert len(cookies_of(broken)[DEVICE]) == 32


async def test_gifts_do_not_count_from_the_third_on(person: Person) -> None:
    ada, ben = await person.browser(), await person.browser()
    tables = [await play_and_resign(*pair) for pair in ((ada, ben), (ben, ada), (ada, ben))]
    assert [len((await ada.rating_changes(table)).seats) for table in tables] == [2, 2, 0]
    assert [(await ada.table(table)).unrated for table in tables] == [None, None, "gift"]
    assert [rating.games for rating in await ratings_of(ada)] == [2]


async def test_games_of_a_flagged_player_do_not_count_while_the_server_runs(person: Person) -> None:
    ada, bot = await person.browser(), await person.browser()
    await play_and_resign(bot, ada)
    assert await is_listed(ada, bot)
    before = await ratings_of(ada)
    command = ("flag", bot.me.player, "--data", str(person.server.data))
    done = await asyncio.to_thread(invoke, *command, "--reason", "too fast")
    assert f"{bot.me.player} is marked as a program." in done.stdout
    table = await play_and_resign(bot, ada)
    assert (await ada.table(table)).unrated == "flagged"
    assert await ratings_of(ada) == before
    assert not await is_listed(ada, bot)
    assert (await asyncio.to_thread(invoke, *command, "--lift")).returncode == 0
    assert await is_listed(ada, bot)


async def is_listed(caller: Client, player: Client) -> bool:
    """Tell whether a player is on the leaderboard of Rainbow, on any page."""
    page = await caller.leaderboard("rainbow")
    while page.more is not None and player.me.player not in [one.player for one in page.players]:
        page = await caller.leaderboard("rainbow", page.more)
    return player.me.player in [one.player for one in page.players]


async def test_two_processes_refuse_the_same_games_and_a_rebuild_keeps_them(
    tmp_path: Path, new_shared_store: Callable[[], tuple[str, ...]]
) -> None:
    shared = new_shared_store()
    options = [*OPTIONS, *shared, "--key-file", str(tmp_path / "signing.keys")]
    with ServerProcess(tmp_path / "one", *options) as one, ServerProcess(tmp_path / "two", *options) as two:
        async with AsyncExitStack() as stack:
            at_one, at_two = Person(one, stack), Person(two, stack)
            ada = await at_one.browser()
            await use(ada)
            ben = await at_two.browser(sevenhues_device=cookies_of(ada)[DEVICE])
            zoe = await at_two.browser()
            table = await play_and_resign(ada, ben)
            for browser in (ada, ben, zoe):
                await wait_for_reason(browser, table, "same-person")
            for _ in range(2):
                assert len((await ada.rating_changes(await play_and_resign(ada, zoe))).seats) == 2
            await wait_for_reason(zoe, await play_and_resign(ada, zoe), "gift")
            bot = await at_two.browser()
            command = ("flag", bot.me.id, "--database-url", shared[1])
            await use(bot)
            assert (await asyncio.to_thread(invoke, *command)).returncode == 0
            await wait_for_reason(ada, await play_and_resign(bot, ada), "flagged")
    store = PostgresStore(shared[1])
    await store.open()
    before = await store.read(all_rating_rows())
    await store.close()
    assert (await rebuild_ratings(store)).rated == 5
    await store.open()
    assert await store.read(all_rating_rows()) == before
    await store.close()


async def wait_for_reason(browser: Client, table: str, reason: str) -> None:
    """Wait until a process knows of the end of a game; its reason comes with it."""
    async with browser.live(table) as live:
        await wait_until(lambda: live.table is not None and live.table.result is not None)
        await wait_until(lambda: live.table is not None and live.table.unrated == reason)
