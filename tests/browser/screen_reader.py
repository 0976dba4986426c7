"""A screen reader with a keyboard: reads the accessibility tree, the announcements, and where the focus is.

It never asks the page's elements or the wire: the tree is the one that Chromium hands to assistive technology.
"""

import re
import time
from typing import Any, NamedTuple

from tests.browser.user import User

PATIENCE = 60.0  # seconds; reached on failure only
POLL_MS = 20
# Announcements come and go faster than a tree can be read: they are recorded as they come.
RECORD_ANNOUNCEMENTS = """
window.announced = [];
new MutationObserver((changes) => {
    const regions = changes.map(({ target }) =>
        (target.nodeType === 1 ? target : target.parentElement)?.closest("[aria-live], [role=status], [role=alert]"));
    for (const region of new Set(regions)) {
        const text = region?.textContent.replace(/\\u200b/g, "").trim();
        if (text && !region.closest("[aria-hidden=true], [aria-live=off]")) window.announced.push(text);
    }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
STATES = ("focused", "disabled", "pressed", "checked", "expanded", "selected", "current", "level", "modal")
UNSPOKEN_ROLES = ("none", "generic", "InlineTextBox", "RootWebArea")


class Node(NamedTuple):
    """One node of the tree, as it is read out."""

    role: str
    name: str
    text: str  # its name, or all the text in it
    states: dict[str, Any]
    within: tuple[str, ...]  # the names of its ancestors, outermost first

    @property
    def enabled(self) -> bool:
        return not self.states.get("disabled", False)

    def __str__(self) -> str:
        states = [f"{key}={value}" for key, value in self.states.items() if value not in (False, "false")]
        return " ".join(["  " * len(self.within) + self.role, f'"{self.text}"', *states])


def focused(nodes: list[Node]) -> Node | None:
    """Return the node that has the focus; None if it is lost."""
    found = [node for node in nodes if node.states.get("focused")]
    return found[-1] if found else None


class ScreenReader:
    """Reads a user's page and presses keys on it."""

    def __init__(self, user: User) -> None:
        self._page = user.page
        self._page.add_init_script(RECORD_ANNOUNCEMENTS)
        self._tree = user.context.new_cdp_session(user.page)
        self._tree.send("Accessibility.enable")
        self._announced: list[str] = []

    # -- Reading

    def announcements(self) -> list[str]:
        """Return all announcements so far."""
        self._announced += self._page.evaluate("window.announced.splice(0)")
        return self._announced

    def nodes(self) -> list[Node]:
        """Return the whole page in reading order."""
        tree: list[dict[str, Any]] = self._tree.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in tree}
        read: list[Node] = []

        def visit(node: dict[str, Any], within: tuple[str, ...]) -> str:
            role = str(node.get("role", {}).get("value", ""))
            name = str(node.get("name", {}).get("value", "")).strip()
            if role == "InlineTextBox":
                return ""
            spoken = not node["ignored"] and role not in UNSPOKEN_ROLES
            index = len(read)
            if spoken:
                properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                states = {key: properties[key] for key in STATES if key in properties}
                if "value" in node:
                    states["value"] = node["value"].get("value")
                read.append(Node(role, name, "", states, within))
            inside = (*within, name) if spoken and name and role != "StaticText" else within
            parts = [visit(by_id[child], inside) for child in node.get("childIds", []) if child in by_id]
            text = name if spoken and name else " ".join(part for part in parts if part)
            if spoken:
                read[index] = read[index]._replace(text=text)
            return text

        visit(tree[0], ())
        return read

    def find(self, pattern: str, role: str = "", within: str = "") -> list[Node]:
        return [
            node
            for node in self.nodes()
            if (not role or node.role == role)
            and re.search(pattern, node.text)
            and (not within or within in node.within)
        ]

    @property
    def focus(self) -> Node | None:
        return focused(self.nodes())

    # -- Acting and waiting

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)

    def poll(self) -> None:
        """Let the page go on before it is read again."""
        self._page.wait_for_timeout(POLL_MS)

    def listen(self, since: int, pattern: str, seconds: float) -> bool:
        """Wait until something is announced after so many other announcements; say whether it was."""
        deadline = time.monotonic() + seconds
        while not (heard := any(re.search(pattern, text) for text in self.announcements()[since:])):
            if time.monotonic() > deadline:
                break
            self.poll()
        return heard

    def wait_for_announcement(self, pattern: str, since: int = 0) -> None:
        assert self.listen(since, pattern, PATIENCE), f"{pattern} was not announced in\n{self}"

    def wait_for(self, pattern: str, role: str = "", within: str = "") -> Node:
        """Wait until the page contains a node."""
        deadline = time.monotonic() + PATIENCE
        while not (found := self.find(pattern, role, within)):
            assert time.monotonic() < deadline, f"{pattern} is not in\n{self}"
            self.poll()
        return found[0]

    def wait_for_focus(self, pattern: str = "", within: str = "") -> Node:
        """Wait until the page has moved the focus to a node."""
        deadline = time.monotonic() + PATIENCE
        while True:
            focus = self.focus
            if focus and re.search(pattern, focus.text) and (not within or within in focus.within):
                return focus
            assert time.monotonic() < deadline, f"the focus did not come to {pattern!r} in\n{self}"
            self.poll()

    def tab_to(self, pattern: str, within: str = "", key: str = "Tab", most: int = 70) -> Node:
        """Press Tab (or an arrow) until the focus is on a node of this name."""
        focus = self.tab_to_if_present(pattern, within, key, most)
        assert focus, f"{key} never reaches {pattern}, last on {self.focus} in\n{self}"
        return focus

    def tab_to_if_present(
        self, pattern: str, within: str = "", key: str = "Tab", most: int = 70, *, may_vanish: bool = False
    ) -> Node | None:
        """Press Tab until the focus is on a node of this name; None if it is not reached, or has vanished meanwhile."""
        for _ in range(most):
            nodes = [node for node in self.nodes() if not within or within in node.within or node.states.get("focused")]
            focus = focused(nodes)
            if focus and re.search(pattern, focus.text) and (not within or within in focus.within):
                return focus
            if may_vanish and not any(re.search(pattern, node.text) for node in nodes):
                return None
            self.press(key)
        return None

    def __str__(self) -> str:
        return "\n".join([*map(str, self.nodes()), "announced:", *self.announcements()[-12:]])
