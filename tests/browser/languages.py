"""The languages of the client as the tests know them: their words, and what to look for in a page that speaks one."""

import json
import re
from pathlib import Path

from playwright.sync_api import Page

WEB = Path(__file__).parents[2] / "web/src"
ENGLISH = "en"
LANGUAGES = sorted(path.stem for path in (WEB / "app/messages").glob("*.json"))
CATALOGUES = [WEB / "app/messages", *sorted(WEB.glob("games/*/messages"))]
PLACE = re.compile(r"\{\w+[,}]")  # one that was not filled in


def words(tag: str) -> dict[str, str]:
    """The shell's messages in a language."""
    said: dict[str, str] = json.loads((WEB / "app/messages" / f"{tag}.json").read_text("utf-8"))
    return said


def foreign(tag: str) -> list[str]:
    """What a page in a language never shows: keys, and English that the language says otherwise."""
    both = [
        [json.loads((folder / f"{each}.json").read_text("utf-8")) for each in (ENGLISH, tag)] for folder in CATALOGUES
    ]
    ours = {text for _, other in both for text in other.values()}
    keys = {key for english, _ in both for key in english if "." in key}
    texts = {text for english, _ in both for text in english.values() if not PLACE.search(text) and len(text) > 2}
    return sorted(keys | (texts - ours))


# Every text that can be seen must lie within what holds it and within what clips it; only what scrolls may be longer.
CUT_OFF = """() => {
    const cut = [];
    const slack = 1.5;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const held = node.parentElement;
        const text = node.textContent.trim();
        if (!text || held.closest(".unseen, script, style, option, .skip, noscript") || !held.checkVisibility(
            { opacityProperty: true, visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
        if (!boxes.length || held.getBoundingClientRect().width < 2) continue; // for screen readers alone
        const left = Math.min(...boxes.map((box) => box.left));
        const right = Math.max(...boxes.map((box) => box.right));
        const bottom = Math.max(...boxes.map((box) => box.bottom));
        const say = (why, by) =>
            cut.push(`${why}: "${text.slice(0, 60)}" in ${by.tagName}.${by.getAttribute("class")}`);
        let scrolls = false;
        for (let by = held; by && by !== document.documentElement; by = by.parentElement) {
            const style = getComputedStyle(by);
            const box = by.getBoundingClientRect();
            if (style.position === "fixed") scrolls = true;
            if (by.tagName === "BODY") break;
            if (style.display.startsWith("inline") && style.display === "inline") continue;
            if (style.overflowX === "auto" || style.overflowX === "scroll") scrolls = true;
            const clips = style.overflowX === "hidden" || style.overflowX === "clip";
            const button = by.matches("button, .btn, label, summary, th, h1, h2, h3, .chip, select");
            if (scrolls) break;
            if ((by === held || clips || button) && (right > box.right + slack || left < box.left - slack)) {
                say("too wide", by);
                break;
            }
            if (button && bottom > box.bottom + 4) {
                say("too tall", by);
                break;
            }
        }
        if (!scrolls && right > innerWidth + slack) say("off the page", held);
    }
    for (const one of document.querySelectorAll(".btn, select, input")) {
        if (one.closest(".unseen, .skip") || !one.checkVisibility({ visibilityProperty: true })) continue;
        const { left, right, width } = one.getBoundingClientRect();
        for (let by = one.parentElement; width > 2 && by && by !== document.body; by = by.parentElement) {
            const style = getComputedStyle(by);
            if (style.position === "fixed" || style.overflowX === "auto" || style.overflowX === "scroll") break;
            const box = by.getBoundingClientRect();
            const within = left >= box.left - slack && right <= box.right + slack;
            if ((style.overflowX === "hidden" || style.overflowX === "clip") && !within) {
                cut.push(`sticks out: "${one.textContent.trim() || one.ariaLabel}" of ${by.tagName}.${by.className}`);
                break;
            }
        }
    }
    for (const text of document.querySelectorAll("svg text")) {
        if (!text.checkVisibility() || !text.textContent.trim()) continue;
        const box = text.getBoundingClientRect();
        const frame = text.ownerSVGElement.getBoundingClientRect();
        if (box.left < frame.left - slack || box.right > frame.right + slack)
            cut.push(`out of its picture: "${text.textContent.trim()}"`);
    }
    for (const choice of document.querySelectorAll("select")) {
        if (!choice.checkVisibility()) continue;
        const style = getComputedStyle(choice);
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = style.font;
        const room = choice.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        const wide = pen.measureText(choice.selectedOptions[0]?.text ?? "").width;
        if (wide > room + slack) cut.push(`too wide: "${choice.selectedOptions[0].text}" in SELECT`);
    }
    return [...new Set(cut)];
}"""

# Every text and label of the page; the rules are looked at by themselves.
TEXTS = """() => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement.closest("script, style, noscript, code, .rules")) found.add(node.textContent.trim());
    for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]"))
        for (const name of ["aria-label", "title", "placeholder"]) found.add(one.getAttribute(name) ?? "");
    found.delete("");
    return [...found];
}"""


def cut_off(page: Page) -> list[str]:
    """List the texts of a page that are not wholly seen."""
    page.wait_for_function("document.getAnimations().every((one) => one.playState !== 'running')")
    found: list[str] = page.evaluate(CUT_OFF)
    return found


def unspoken(page: Page, tag: str) -> list[str]:
    """List what a page shows though it should not: keys, places not filled in, English in another language."""
    shown: list[str] = page.evaluate(TEXTS)
    never = set(foreign(tag))
    return [text for text in shown if text in never or PLACE.search(text)]
