"""What somebody hears who sees nothing of a page: its accessibility tree, what it announces, and where the focus is.

Nothing here asks the page's elements or the wire: the tree is the one that Chromium hands to a screen reader.
"""

import re
import time
from typing import Any, NamedTuple

from tests.browser.user import User

PATIENCE = 20.0
# Announcements come and go faster than a tree can be read: they are written down as they come, as a reader queues them.
LISTEN = """
window.announced = [];
new MutationObserver((changes) => {
    const regions = changes.map(({ target }) =>
        (target.nodeType === 1 ? target : target.parentElement)?.closest("[aria-live], [role=status], [role=alert]"));
    for (const one of new Set(regions)) {
        const text = one?.textContent.replace(/\\u200b/g, "").trim();
        if (text && !one.closest("[aria-hidden=true], [aria-live=off]")) window.announced.push(text);
    }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
STATES = ("focused", "disabled", "pressed", "checked", "expanded", "selected", "current", "level", "modal")
SILENT = ("none", "generic", "InlineTextBox", "RootWebArea")


class Heard(NamedTuple):
    """One thing of the tree, as it is read out."""

    role: str
    name: str
    text: str  # its name, or all that is written in it
    states: dict[str, Any]
    within: tuple[str, ...]  # the names of what it lies in, outermost first

    @property
    def able(self) -> bool:
        return not self.states.get("disabled", False)

    def __str__(self) -> str:
        told = [f"{key}={value}" for key, value in self.states.items() if value not in (False, "false")]
        return " ".join(["  " * len(self.within) + self.role, f'"{self.text}"', *told])


def focus(heard: list[Heard]) -> Heard | None:
    """Return where the keyboard is; None where it has been lost."""
    at = [one for one in heard if one.states.get("focused")]
    return at[-1] if at else None


class Ears:
    """Somebody at a page with ears and a keyboard, and nothing else."""

    def __init__(self, user: User) -> None:
        self._page = user.page
        self._page.add_init_script(LISTEN)
        self._tree = user.context.new_cdp_session(user.page)
        self._tree.send("Accessibility.enable")
        self.announced: list[str] = []

    # -- Hearing

    def news(self) -> list[str]:
        """Return all that was announced so far."""
        self.announced += self._page.evaluate("window.announced.splice(0)")
        return self.announced

    def everything(self) -> list[Heard]:
        """Return all there is to be heard, in reading order."""
        nodes: list[dict[str, Any]] = self._tree.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        heard: list[Heard] = []

        def walk(node: dict[str, Any], within: tuple[str, ...]) -> str:
            role = str(node.get("role", {}).get("value", ""))
            name = str(node.get("name", {}).get("value", "")).strip()
            if role == "InlineTextBox":
                return ""
            spoken = not node["ignored"] and role not in SILENT
            at = len(heard)
            if spoken:
                found = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                states = {key: found[key] for key in STATES if key in found}
                if "value" in node:
                    states["value"] = node["value"].get("value")
                heard.append(Heard(role, name, "", states, within))
            inside = (*within, name) if spoken and name and role != "StaticText" else within
            parts = [walk(by_id[child], inside) for child in node.get("childIds", []) if child in by_id]
            text = name if spoken and name else " ".join(part for part in parts if part)
            if spoken:
                heard[at] = heard[at]._replace(text=text)
            return text

        walk(nodes[0], ())
        return heard

    def find(self, pattern: str, role: str = "", within: str = "") -> list[Heard]:
        return [
            one
            for one in self.everything()
            if (not role or one.role == role) and re.search(pattern, one.text) and (not within or within in one.within)
        ]

    @property
    def focused(self) -> Heard | None:
        return focus(self.everything())

    # -- Doing

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def wait(self, milliseconds: int = 40) -> None:
        self._page.wait_for_timeout(milliseconds)

    def listen(self, since: int, pattern: str = "", seconds: float = 0.3) -> bool:
        """Wait until something is announced after so many other announcements, but not for long."""
        deadline = time.monotonic() + seconds
        while not (heard := any(re.search(pattern, text) for text in self.news()[since:])):
            if time.monotonic() > deadline:
                break
            self.wait(20)
        return heard

    def until(self, pattern: str, role: str = "", within: str = "", seconds: float = PATIENCE) -> Heard:
        """Wait until it can be heard."""
        deadline = time.monotonic() + seconds
        while not (found := self.find(pattern, role, within)):
            assert time.monotonic() < deadline, f"{pattern} was not heard in\n{self}"
            self.wait()
        return found[0]

    def come_to(self, pattern: str, within: str) -> None:
        """Wait until the focus has been brought there."""
        deadline = time.monotonic() + PATIENCE
        while not (at := self.focused) or not re.search(pattern, at.text) or within not in at.within:
            assert time.monotonic() < deadline, f"the focus never came to {pattern} in\n{self}"

    def tab_to(self, pattern: str, within: str = "", key: str = "Tab", most: int = 70) -> Heard:
        """Press Tab (or an arrow) until the focus is on what is called so."""
        for _ in range(most):
            at = self.focused
            if at and re.search(pattern, at.text) and (not within or within in at.within):
                return at
            self.press(key)
        raise AssertionError(f"{key} never came to {pattern}, last on {at} in\n{self}")

    def hear(self, pattern: str, since: int, seconds: float = PATIENCE) -> None:
        """Wait until it is announced, after so many other announcements."""
        assert self.listen(since, pattern, seconds), f"{pattern} was not announced in\n{self}"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.everything()), "announced:", *self.announced[-12:]])
