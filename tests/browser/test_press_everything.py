"""Everything that looks like a control acts, or says why it does not.

At several positions of each game, some of them in another player's turn, every control is pressed, each from the same
position. A control is what has a
pointer cursor, a control's role or the look of one: a button, or a dashed place. A press must change the page: a move
is made, something opens, is picked or is switched, or a reason is shown or announced.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import TimeoutError as NoAnswer

from sevenhues import load, names
from sevenhues.server.accounts.cookies import new_user_id
from tests.browser.board_positions import starts, waits
from tests.browser.prepared_tables import PreparedTables, Seat, Start
from tests.browser.site_tour import NAMES, race_start
from tests.browser.user import User
from tests.server.process import ServerProcess

NewUser = Callable[..., User]
ANSWER_MS = 20_000.0  # reached by a dead control only

# List the controls in view: where to press each, what it is called, and what it is alike to.
CONTROLS_SCRIPT = """() => {
    const roles = ["button", "tab", "switch", "checkbox", "menuitem"].map((role) => `[role=${role}]`);
    const controls = ["button:enabled", "summary", ".btn:enabled", ...roles].join();
    const native = "a[href], select, input, label, .unseen, [inert]"; // the browser answers, or nobody sees them
    const look = (element) => {
        const style = getComputedStyle(element);
        const pointer = style.cursor === "pointer" && getComputedStyle(element.parentElement).cursor !== "pointer";
        const { width, height } = element.getBoundingClientRect();
        const dashed = style.borderTopStyle === "dashed" && style.borderLeftStyle === "dashed";
        return pointer || (dashed && width > 23 && height > 23 && element.closest(".board"));
    };
    const found = [];
    for (const element of document.body.querySelectorAll("*")) {
        if (!element.matches(controls) && !look(element)) continue;
        if (element.parentElement.closest(controls) || element.closest(native)) continue;
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const { left, top, width, height } = element.getBoundingClientRect();
        if (width < 3 || height < 3) continue;
        let at = null;
        for (const y of [4, 2, 6, 1, 7])
            for (const x of [4, 2, 6, 1, 7]) {
                const [px, py] = [left + (width * x) / 8, top + (height * y) / 8];
                const inside = px >= 0 && py >= 0 && px < innerWidth && py < innerHeight;
                const hit = inside ? document.elementFromPoint(px, py) : null;
                if (!at && hit && (element === hit || element.contains(hit))) at = [px, py];
            }
        if (!at && !element.matches(controls)) at = [left + width / 2, top + height / 2]; // it lets presses through
        if (!at || at[0] < 0 || at[1] < 0 || at[0] >= innerWidth || at[1] >= innerHeight) continue;
        const classes = (one) => [...one.classList].filter((name) => !name.startsWith("svelte-")).sort().join(".");
        const kind = [element.tagName, classes(element), classes(element.parentElement), element.ariaDisabled];
        const text = (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\\s+/g, " ");
        found.push({
            at,
            kind: kind.join(" "),
            board: element.closest(".board") !== null,
            name: `${element.tagName.toLowerCase()}.${classes(element)} "${text.slice(0, 60)}"`,
        });
    }
    return found;
}"""

# Count the changes of the page from now on, without those of clocks and of the order in which Tab moves.
OBSERVE_SCRIPT = """async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    window.changes = [];
    window.observer?.disconnect();
    const isClock = (node) => {
        const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
        return element?.closest("[role=timer], time") || /^\\s*\\d*[:.]?\\d+\\s*$/.test(node.textContent);
    };
    window.observer = new MutationObserver((list) => {
        const counts = ({ target, attributeName: name }) => (name ? name !== "tabindex" : !isClock(target));
        window.changes.push(...list.filter(counts));
    });
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    window.observer.observe(document.body, all);
}"""

# What a page shows: texts, states and pictures, without clocks.
STATE_SCRIPT = """() => document.body.innerHTML.replace(/\\d*[:.]\\d\\d/g, "").replace(/ tabindex="-?\\d"/g, "")"""


class Control(NamedTuple):
    at: tuple[float, float]
    kind: str
    board: bool
    name: str


class Presser:
    """Presses the controls of one position after the other at tables of a game."""

    def __init__(
        self, user: User, prepared: PreparedTables, name: str, patience: float = ANSWER_MS, seat: int = 0
    ) -> None:
        self.user, self.page, self.name = user, user.page, name
        self._patience = patience
        self._prepared = prepared
        self._seats = [Seat(player, new_user_id()) for player in NAMES]
        self._pressed: set[str] = set()  # kinds of controls around the board, which are the same at every position
        prepared.sign_in(user, str(self._seats[seat].user_id))

    def open(self, start: Start) -> None:
        """Open a new table at a position."""
        table = self._prepared.create(load(self.name), start, self._seats, began=race_start(self.name))
        self.user.open(f"/t/{table}")
        self._wait(len(start.moves))

    def _wait(self, ply: int) -> None:
        self.user.wait_for_ply(ply)
        shown = "(ply) => Number(document.querySelector('.board')?.dataset.ply ?? -1) >= ply"
        self.page.wait_for_function(shown, arg=ply)
        self.user.ready()

    def controls(self) -> list[Control]:
        found: list[dict[str, Any]] = self.page.evaluate(CONTROLS_SCRIPT)
        return [Control(**one) for one in found]

    def press(self, control: Control) -> bool:
        """Press a control, and tell whether the page answers."""
        self.page.mouse.move(*control.at)
        self.page.evaluate(OBSERVE_SCRIPT)
        address = self.page.url
        self.page.mouse.down()
        self.page.mouse.up()
        try:
            self.page.wait_for_function("() => window.changes?.length !== 0", timeout=self._patience)
        except NoAnswer:
            return self.page.url != address
        return True

    def press_all(self, start: Start, every: bool) -> list[str]:
        """Press what is there at a position, or one control of each kind, and list what does not answer."""
        self.open(start)
        state, plies, dead = self.page.evaluate(STATE_SCRIPT), len(start.moves), []
        kinds: set[str] = set()
        for control in self.controls():
            if control.kind in (kinds if control.board else self._pressed) and not (every and control.board):
                continue
            (kinds if control.board else self._pressed).add(control.kind)
            if not self.press(control):
                dead.append(f"{control.name} after {plies} moves")
                continue
            self.page.keyboard.press("Escape")
            self.page.mouse.move(0, 0)
            if self.user.updates[-1]["ply"] == plies and "/t/" in self.page.url:
                self.user.ready()
                if self.page.evaluate(STATE_SCRIPT) == state:
                    continue
            self.open(start)
        return dead


def test_dead_control_is_found(new_user: NewUser, server: ServerProcess) -> None:
    user = new_user(plain=False, still=True, bypass_csp=True)
    presser = Presser(user, PreparedTables(server.data), "rainbow", patience=300)
    presser.open(next(iter(starts("rainbow").values())))
    before = {control.name for control in presser.controls()}
    user.page.evaluate(
        """() => {
            const place = "position: fixed; z-index: 99; top: 60px; width: 40px; height: 40px;";
            document.querySelector(".board").insertAdjacentHTML("beforeend", `
                <button class="dead" style="${place} left: 0">1</button>
                <div class="pointer" style="${place} left: 50px; cursor: pointer">2</div>
                <div class="dashed" style="${place} left: 100px; border: 1px dashed">3</div>
                <div class="text" style="${place} left: 150px">4</div>
                <button class="live" style="${place} left: 200px" onclick="this.title = 'pressed'">5</button>`);
        }"""
    )
    planted = [control for control in presser.controls() if control.name not in before]
    answers = {control.name: presser.press(control) for control in planted}
    assert answers == {
        'button.dead "1"': False,
        'div.pointer "2"': False,
        'div.dashed "3"': False,
        'button.live "5"': True,
    }


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    "every", [pytest.param(False, id="main"), pytest.param(True, id="all", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("name", names())
def test_everything_that_looks_like_a_control_answers(
    new_user: NewUser, server: ServerProcess, name: str, every: bool, phone: bool
) -> None:
    user = new_user(plain=False, still=True, phone=phone)
    presser = Presser(user, PreparedTables(server.data), name)
    own, others = list(starts(name).values()), waits(name)
    positions = [*own, *others] if every else [own[5], *others[1:2]] if phone else own[::5]
    dead = [fault for start in positions for fault in presser.press_all(start, every)]
    assert not dead, f"{len(dead)} controls do not answer\n" + "\n".join(dead)
