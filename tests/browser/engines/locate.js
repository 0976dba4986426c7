// Returns the middle of the first visible element that matches and is called so, if a press there reaches it; else null.
async (selector, name) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const nameOf = (element) => (element.getAttribute("aria-label") ?? element.textContent).replace(/\s+/g, " ").trim();
    const isMoving = ({ playState, effect }) =>
        playState === "running" && effect?.getComputedTiming().endTime !== Infinity;
    if (document.getAnimations().some(isMoving)) return null;
    const visible = [...document.querySelectorAll(selector)].filter((one) =>
        one.checkVisibility({ visibilityProperty: true }),
    );
    const element =
        name === null
            ? visible[0]
            : (visible.find((one) => nameOf(one) === name) ?? visible.find((one) => nameOf(one).includes(name)));
    if (!element) return null;
    element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    await frame();
    const before = element.getBoundingClientRect();
    await frame();
    const box = element.getBoundingClientRect();
    if (box.x !== before.x || box.y !== before.y || box.width !== before.width) return null; // it moves
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const hit = document.elementFromPoint(x, y);
    const label = hit?.closest("label");
    return hit && (element.contains(hit) || hit.contains(element) || label?.contains(element)) ? [x, y] : null;
}
