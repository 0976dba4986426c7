"""Checks of a page as it is displayed: text and controls, contrast and focus in forced colours, axe, touch targets.

Each returns a list of faults, each of which names the element it is about.
"""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.languages import PLACE, forbidden_texts

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
NO_ANIMATION = "() => document.getAnimations().every((one) => one.playState !== 'running')"

# Every visible text lies within its element and within every element that clips; only what scrolls may be longer.
CUT_OFF_SCRIPT = """() => {
    const faults = [];
    const slack = 1.5;
    const name = (element) => `${element.tagName}.${element.getAttribute("class")}`;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        const text = node.textContent.trim();
        if (!text || parent.closest(".unseen, script, style, option, .skip, .scene, noscript")) continue;
        if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
        if (!boxes.length || parent.getBoundingClientRect().width < 2) continue; // for screen readers alone
        const left = Math.min(...boxes.map((box) => box.left));
        const right = Math.max(...boxes.map((box) => box.right));
        // The box of a text is as tall as its face, which may be more than the line that it stands on.
        const line = parseFloat(getComputedStyle(parent).lineHeight) || Infinity;
        const bottom = Math.max(...boxes.map((box) => box.bottom - Math.max(0, (box.height - line) / 2)));
        const report = (fault, element) => faults.push(`${fault}: "${text.slice(0, 60)}" in ${name(element)}`);
        let scrolls = false;
        for (let element = parent; element && element !== document.documentElement; element = element.parentElement) {
            const style = getComputedStyle(element);
            const box = element.getBoundingClientRect();
            if (style.position === "fixed") scrolls = true;
            if (element.tagName === "BODY") break;
            if (style.display === "inline") continue;
            if (style.overflowX === "auto" || style.overflowX === "scroll") scrolls = true;
            const clips = style.overflowX === "hidden" || style.overflowX === "clip";
            const control = element.matches("button, .btn, label, summary, th, h1, h2, h3, .chip, select");
            if (scrolls) break;
            if ((element === parent || clips || control) && (right > box.right + slack || left < box.left - slack)) {
                report("too wide", element);
                break;
            }
            if (control && bottom > box.bottom + 4) {
                report("too tall", element);
                break;
            }
        }
        if (!scrolls && right > document.documentElement.clientWidth + slack) report("off the page", parent);
    }
    for (const control of document.querySelectorAll(".btn, select, input")) {
        if (control.closest(".unseen, .skip") || !control.checkVisibility({ visibilityProperty: true })) continue;
        const { left, right, width } = control.getBoundingClientRect();
        for (let by = control.parentElement; width > 2 && by && by !== document.body; by = by.parentElement) {
            const style = getComputedStyle(by);
            if (style.position === "fixed" || style.overflowX === "auto" || style.overflowX === "scroll") break;
            const box = by.getBoundingClientRect();
            const within = left >= box.left - slack && right <= box.right + slack;
            if ((style.overflowX === "hidden" || style.overflowX === "clip") && !within) {
                faults.push(`sticks out: "${control.textContent.trim() || control.ariaLabel}" of ${name(by)}`);
                break;
            }
        }
    }
    for (const text of document.querySelectorAll("svg text")) {
        if (!text.checkVisibility() || !text.textContent.trim()) continue;
        const box = text.getBoundingClientRect();
        const picture = text.ownerSVGElement.getBoundingClientRect();
        if (box.left < picture.left - slack || box.right > picture.right + slack)
            faults.push(`out of its picture: "${text.textContent.trim()}"`);
    }
    // A select shows its choices whole when it is open, so at twice the text size it may shorten the chosen one.
    const enlarged = parseFloat(getComputedStyle(document.documentElement).fontSize) > 10;
    for (const select of enlarged ? [] : document.querySelectorAll("select")) {
        if (!select.checkVisibility({ opacityProperty: true })) continue; // another element shows what is chosen
        const style = getComputedStyle(select);
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.font = style.font;
        const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
        const wide = canvas.measureText(select.selectedOptions[0]?.text ?? "").width;
        if (wide > room + slack) faults.push(`too wide: "${select.selectedOptions[0].text}" in SELECT`);
    }
    return [...new Set(faults)];
}"""

# Every text and label of the page; the rules, written in each language, are compared elsewhere.
TEXTS_SCRIPT = """(exempt) => {
    const texts = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement.closest("script, style, noscript, code, .rules" + exempt))
            texts.add(node.textContent.trim());
    for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]"))
        for (const name of ["aria-label", "title", "placeholder"]) texts.add(one.getAttribute(name) ?? "");
    texts.delete("");
    return [...texts];
}"""

# Whatever takes the focus comes into view, and then nothing lies over it. A sheet on top has the page to itself.
COVERED_SCRIPT = """() => {
    const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.querySelector(".over") ?? document;
    const faults = [];
    for (const one of top.querySelectorAll("button, a[href], input, select, summary, [tabindex='0']")) {
        if (one.disabled || one.tabIndex < 0 || one.matches(".skip")) continue;
        if (!one.checkVisibility({ visibilityProperty: true })) continue;
        one.blur();
        one.focus();
        if (document.activeElement !== one) continue;
        const box = one.getBoundingClientRect();
        const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
        const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
        const there = document.elementFromPoint(x, y);
        if (!there || !(one.contains(there) || there.contains(one) || there.closest("label")?.contains(one)))
            faults.push(`covered: ${one.ariaLabel ?? one.textContent.trim()} under ${there?.outerHTML.slice(0, 80)}`);
    }
    return faults;
}"""

# In forced colours the browser paints the device's ground behind every text, but where forced-color-adjust is none.
LOW_CONTRAST_SCRIPT = """() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.backgroundColor = "Canvas";
    const canvas = getComputedStyle(probe).backgroundColor;
    probe.remove();
    const luminance = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
            const share = Number(part) / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const { backgroundColor } = getComputedStyle(at);
            if (!/^rgba.*, 0\\)$/.test(backgroundColor)) return backgroundColor;
        }
        return canvas;
    };
    const faults = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        const exempt = "svg, script, style, noscript, option, :disabled, .unseen";
        if (!node.textContent.trim() || parent.closest(exempt)) continue;
        if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const style = getComputedStyle(parent);
        const behind = style.forcedColorAdjust === "none" ? ground(parent) : canvas;
        const [dark, bright] = [luminance(style.color), luminance(behind)].sort((a, b) => a - b);
        if ((bright + 0.05) / (dark + 0.05) < 4.5)
            faults.push(`low contrast: ${node.textContent.trim().slice(0, 40)}: ${style.color} on ${behind}`);
    }
    return faults;
}"""

# A ring about what has the focus; a lit cell of Flip & Slide has one of its own, drawn in the picture.
NO_FOCUS_RING_SCRIPT = """() => [...document.querySelectorAll("button, a[href], select, summary, input[type=text]")]
    .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => !one.matches(".spot, .piece") && (one.focus(), document.activeElement === one))
    .filter((one) => one.matches(":focus-visible"))
    .filter((one) => ["none", "hidden"].includes(getComputedStyle(one).outlineStyle))
    .map((one) => `no focus ring: ${one.outerHTML.slice(0, 120)}`)"""

# The hue of a face is as it was printed, and so are the letters on it.
CHANGED_HUES_SCRIPT = """() => {
    const normal = (colour) => {
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.fillStyle = colour;
        return canvas.fillStyle;
    };
    return [...document.querySelectorAll("svg [fill^='#']")]
        .filter((one) => normal(one.getAttribute("fill")) !== normal(getComputedStyle(one).fill))
        .map((one) => `repainted: ${one.outerHTML.slice(0, 100)}`);
}"""

# The whole field of a game is in view, so its cells and spots may be as small as 24 px.
SMALL_TARGETS_SCRIPT = """() =>
    [...document.querySelectorAll("button, select, input:not([type=radio]):not([type=checkbox]), a.btn")]
        .filter((one) => one.checkVisibility() && !one.closest(".unseen") && !one.matches(".skip, .rule"))
        .filter((one) => {
            const { width, height } = one.getBoundingClientRect();
            const [wide, high] = one.matches("[data-cell], [data-spot]") ? [23.5, 23.5] : [39.5, 43.5];
            return height < high || width < wide;
        })
        .map((one) => `too small to touch: ${one.outerHTML.slice(0, 120)}`)"""


def cut_off(page: Page) -> list[str]:
    """List the texts and controls of a page that are not wholly visible."""
    page.wait_for_function(NO_ANIMATION)
    faults: list[str] = page.evaluate(CUT_OFF_SCRIPT)
    return faults


def untranslated(page: Page, tag: str, *, announcements: bool = True) -> list[str]:
    """List message keys, unfilled placeholders, and English in a page of another language.

    Announcements stay in the language they were made in, so they are left out after the language was switched.
    """
    texts: list[str] = page.evaluate(TEXTS_SCRIPT, "" if announcements else ", [aria-live]")
    forbidden = forbidden_texts(tag)
    return [f"untranslated: {text}" for text in texts if text in forbidden or PLACE.search(text)]


def overflowing(page: Page) -> list[str]:
    """Say whether the page scrolls sideways."""
    content, window = page.evaluate("[document.scrollingElement.scrollWidth, document.documentElement.clientWidth]")
    return [f"{content} px wide in a window of {window}"] if content > window else []


def covered(page: Page) -> list[str]:
    """List what cannot be seen when it has the focus."""
    faults: list[str] = page.evaluate(COVERED_SCRIPT)
    return faults


def small_targets(page: Page) -> list[str]:
    """List the controls that are too small for a finger."""
    faults: list[str] = page.evaluate(SMALL_TARGETS_SCRIPT)
    return faults


def forced_colours(page: Page) -> list[str]:
    """List texts that fade, places without a focus ring, and repainted pieces, in forced colours."""
    page.keyboard.press("Shift")  # from now on the focus is the keyboard's
    scripts = (LOW_CONTRAST_SCRIPT, NO_FOCUS_RING_SCRIPT, CHANGED_HUES_SCRIPT)
    return [fault for script in scripts for fault in page.evaluate(script)]


def axe(page: Page, run_only: Any = tuple(AXE_RULES)) -> list[str]:
    """List what axe finds."""
    page.wait_for_function(NO_ANIMATION)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    violations: list[dict[str, Any]] = page.evaluate(
        "async (rules) => (await axe.run({ runOnly: rules, resultTypes: ['violations'] })).violations", run_only
    )
    return [f"axe {one['id']}: {node['html'][:200]}" for one in violations for node in one["nodes"]]


def check_axe(page: Page, where: str) -> None:
    assert (where, axe(page)) == (where, [])


def check_phone(page: Page, where: str) -> None:
    """Nothing is wider than a phone, and whatever can be touched is large enough."""
    assert (where, overflowing(page), small_targets(page)) == (where, [], [])
