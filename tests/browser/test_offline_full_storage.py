"""A full storage in a browser whose server is away: a move is refused, the player is told, and nothing is lost."""

from random import Random

from playwright.sync_api import expect

from sevenhues import load
from tests.browser.languages import messages
from tests.browser.offline_user import OfflineUser
from tests.browser.rainbow_board import RainbowBoard

# A browser remembers for a while how much is free, so the worker's transactions are ended as a full storage ends them.
FILL = """() => {
    const { put } = IDBObjectStore.prototype;
    const error = { value: new DOMException("There is no space left.", "QuotaExceededError") };
    IDBObjectStore.prototype.put = function (...given) {
        const { transaction } = this;
        const request = put.apply(this, given);
        request.onsuccess = () => Object.defineProperty(transaction, "error", error).abort();
        return request;
    };
    self.empty = () => void (IDBObjectStore.prototype.put = put);
}"""


def test_full_storage_refuses_a_move_and_loses_none(offline: OfflineUser) -> None:
    page, board, rng = offline.page, RainbowBoard(offline), Random(2)
    offline.expect_error("offline play: QuotaExceededError")
    offline.play_level(load("rainbow"), "seedling")
    board.wait_for_turn()
    offline.wait_for_ply(board.make_random_move(rng))
    board.wait_for_turn()
    ply, saved = board.ply, board.update["views"]
    (worker,) = page.workers
    worker.evaluate(FILL)
    try:
        board.make_random_move(rng)
        # The refusal is shown for some seconds, the band until it is answered.
        expect(page.locator(".warning").get_by_text(messages("en")["problem.store-failed"])).to_be_visible()
        expect(page.get_by_text("This device’s storage is full.")).to_be_visible()
        refusals = [frame["key"] for frame in offline.frames if frame["type"] == "refused"]
        assert refusals == ["store-failed"]
        assert (board.ply, board.update["views"]) == (ply, saved)
    finally:
        worker.evaluate("empty()")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("This device’s storage is full.")).to_have_count(0)
    board.wait_for_turn()
    offline.wait_for_ply(board.make_random_move(rng))
    board.wait_for_turn()
    made = {update["ply"]: update["move"] for update in offline.updates if update["move"]}
    offline.reload()
    offline.wait_until(lambda: bool(offline.updates))
    history = offline.updates[0]["history"]
    assert [history[at - 1] for at in sorted(made)] == [made[at] for at in sorted(made)]
