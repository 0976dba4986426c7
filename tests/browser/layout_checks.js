// List the faults of a page's layout: see layout_checks.py. `wanted` selects what must be in view without scrolling.
(wanted) => {
    const SLACK = 4; // pixels that nobody notices
    const LINE = 40; // pixels that a scroll area needs
    const CONTROLS =
        "button, a[href], input, select, textarea, summary, [role=button], [role=link], [role=tab], [role=slider], " +
        "[role=checkbox], [role=radio], [role=switch], [role=option], [role=menuitem], [role=gridcell][tabindex]";
    // What is there for a pointer alone, such as an area that a press anywhere closes, is neither read nor focused.
    const HIDDEN = "[aria-hidden=true][tabindex='-1'], .unseen, .skip, script, style, noscript, option, [inert]";
    const PICTURES = "svg[aria-hidden=true], [role=img], img";
    const root = document.documentElement;
    const [width, height] = [root.clientWidth, root.clientHeight];
    const faults = new Set();
    const styles = new Map();
    const style = (element) => {
        if (!styles.has(element)) styles.set(element, getComputedStyle(element));
        return styles.get(element);
    };
    const box = ({ left, top, right, bottom }) => ({ left, top, right, bottom });
    const common = (a, b) => ({
        left: Math.max(a.left, b.left),
        top: Math.max(a.top, b.top),
        right: Math.min(a.right, b.right),
        bottom: Math.min(a.bottom, b.bottom),
    });
    const isThere = (one) => one.right - one.left > SLACK && one.bottom - one.top > SLACK;
    const pixels = (one) => `${Math.round(one.right - one.left)}×${Math.round(one.bottom - one.top)} px`;
    const name = (element) => {
        const text = (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\s+/g, " ");
        const classes = [...element.classList].filter((one) => !one.startsWith("svelte-")).join(".");
        return `${element.tagName.toLowerCase()}${classes && "."}${classes} "${text.slice(0, 40)}"`;
    };
    const parentOf = (element) => element.assignedSlot ?? element.parentElement;
    const isShown = (element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });

    // -- What clips an element, and which layer it is in

    const isScrolling = (value) => value === "auto" || value === "scroll";
    const isClipping = (value) => value === "hidden" || value === "clip";
    /** List the ancestors that an element's content cannot leave, without those that a fixed or absolute box escapes. */
    const clippers = (element, from = parentOf(element)) => {
        const found = [];
        let position = from === element ? "static" : style(element).position;
        for (let one = from; one && one !== document.body && one !== root; one = parentOf(one)) {
            const { overflowX, overflowY, position: own, transform, contain } = style(one);
            if (position === "fixed" && transform === "none") continue;
            if (
                position === "absolute" &&
                own === "static" &&
                transform === "none" &&
                !/paint|strict|content/.test(contain)
            )
                continue;
            const x = isScrolling(overflowX) ? "scroll" : isClipping(overflowX) ? "clip" : "";
            const y = isScrolling(overflowY) ? "scroll" : isClipping(overflowY) ? "clip" : "";
            if ((x || y) && style(one).display !== "inline" && !(one instanceof SVGElement && one.ownerSVGElement))
                found.push({ element: one, x, y, box: box(one.getBoundingClientRect()) });
            position = own;
        }
        return found;
    };
    const isTransparent = (colour) => colour === "transparent" || /(,|\/) 0\)$/.test(colour);
    const isOpaque = (element) => {
        const { backgroundColor: colour, opacity } = style(element);
        return colour !== "transparent" && !/(,|\/) 0(\.\d+)?\)$/.test(colour) && opacity === "1";
    };
    /** Return the nearest ancestor that lies above the page and hides it: a sheet, or a bar that sticks to the window. */
    const layerOf = (element) => {
        let opaque = false;
        for (let one = element; one && one !== document.body; one = parentOf(one)) {
            if (one instanceof SVGElement || one.matches(CONTROLS)) continue;
            if (one.matches("dialog[open]")) return one;
            opaque ||= isOpaque(one);
            if (opaque && ["absolute", "fixed", "sticky"].includes(style(one).position)) return one;
        }
        return null;
    };

    // -- The items

    const items = new Map(); // by element
    /** Tell whether a control is drawn with a ground or an edge. */
    const isDrawn = (element) => {
        const { borderTopWidth, borderTopColor, borderBottomWidth, borderBottomColor, boxShadow } = style(element);
        const isEdge = (width, colour) => parseFloat(width) > 0 && !isTransparent(colour);
        const edged = isEdge(borderTopWidth, borderTopColor) || isEdge(borderBottomWidth, borderBottomColor);
        return isOpaque(element) || edged || boxShadow !== "none";
    };
    const add = (element, rectangles, from = undefined) => {
        const own = rectangles.map(box).filter((one) => one.right - one.left > 1 && one.bottom - one.top > 1);
        if (!own.length) return;
        if (!items.has(element))
            items.set(element, {
                element,
                name: name(element),
                control: element.matches(CONTROLS),
                shaped: element instanceof SVGElement || style(element).clipPath !== "none",
                stack: element.closest("[data-stacked]"),
                layer: layerOf(element),
                bare: element.matches(CONTROLS) && !isDrawn(element),
                pictures: [...element.querySelectorAll("svg:not(svg svg), img")].map((one) => box(one.getBoundingClientRect())),
                whole: [],
                boxes: [],
            });
        const item = items.get(element);
        const limits = clippers(element, from);
        for (const each of own) {
            item.whole.push({ box: each, limits });
            const visible = limits.reduce((left, limit) => {
                const edges = { ...left };
                if (limit.x)
                    [edges.left, edges.right] = [
                        Math.max(left.left, limit.box.left),
                        Math.min(left.right, limit.box.right),
                    ];
                if (limit.y)
                    [edges.top, edges.bottom] = [
                        Math.max(left.top, limit.box.top),
                        Math.min(left.bottom, limit.box.bottom),
                    ];
                return edges;
            }, each);
            if (isThere(visible)) item.boxes.push(visible);
        }
    };
    for (const element of document.querySelectorAll(`${CONTROLS}, [role=img], img`)) {
        if (element.closest(HIDDEN) || !isShown(element)) continue;
        const outer = parentOf(element)?.closest(CONTROLS);
        if (outer) continue;
        const { width: wide, height: tall } = element.getBoundingClientRect();
        if (wide < 3 || tall < 3) continue; // for screen readers alone
        add(element, [element.getBoundingClientRect()]);
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!node.textContent.trim() || parent.closest(HIDDEN) || parent.closest(PICTURES) || !isShown(parent))
            continue;
        const around = parent.getBoundingClientRect();
        if (around.width < 3 || around.height < 3) continue; // for screen readers alone
        const range = document.createRange();
        range.selectNodeContents(node);
        const line = parseFloat(style(parent).lineHeight) || Infinity;
        const lines = [...range.getClientRects()].map(({ left, top, right, bottom }) => {
            const less = Math.max(0, (bottom - top - line) / 2); // the box of a text is as tall as its typeface
            return { left, top: top + less, right, bottom: bottom - less };
        });
        const owner = parent.closest(CONTROLS) ?? parent;
        add(owner, lines, owner === parent ? parent : undefined);
    }
    const all = [...items.values()];

    // -- Overlaps

    const middle = (one) => [(one.left + one.right) / 2, (one.top + one.bottom) / 2];
    const isInside = ([x, y]) => x >= 0 && y >= 0 && x < width && y < height;
    /** Tell whether two items share a box by their shapes, where they have other shapes than boxes. */
    const meet = (a, b, shared) => {
        if (!a.shaped && !b.shaped) return true;
        const hits = (item, there) =>
            !item.shaped || there.some((one) => item.element === one || item.element.contains(one));
        let found = 0;
        for (const x of [0.25, 0.5, 0.75])
            for (const y of [0.25, 0.5, 0.75]) {
                const at = [
                    shared.left + x * (shared.right - shared.left),
                    shared.top + y * (shared.bottom - shared.top),
                ];
                const there = isInside(at) ? document.elementsFromPoint(...at) : [];
                if (hits(a, there) && hits(b, there)) found += 1;
            }
        return found > 3; // the edges of two shapes may touch
    };
    /** Tell whether a layer hides what is under it there: it is on top, and it has an opaque ground. */
    const isHidden = (layer, shared) => {
        const at = middle(shared);
        if (!isInside(at)) return true;
        for (let one = document.elementFromPoint(...at); one && layer.contains(one); one = parentOf(one))
            if (isOpaque(one)) return true;
        return false;
    };
    /** List the boxes of an item beside another: a bare control takes presses around its content, but covers no text. */
    const boxesBeside = (item, other) =>
        item.bare && !other.control ? [...item.boxes.slice(1), ...item.pictures] : item.boxes;
    for (let i = 0; i < all.length; i++)
        for (let j = i + 1; j < all.length; j++) {
            const [a, b] = [all[i], all[j]];
            if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
            if (a.stack && a.stack === b.stack) continue;
            let found = null;
            for (const one of boxesBeside(a, b))
                for (const other of boxesBeside(b, a)) {
                    const shared = common(one, other);
                    if (!found && isThere(shared) && meet(a, b, shared)) found = shared;
                }
            if (!found) continue;
            if (a.layer !== b.layer) {
                const above = [a.layer, b.layer]
                    .filter(Boolean)
                    .filter((one) => !one.contains(a.layer === one ? b.layer : a.layer));
                if (above.some((one) => isHidden(one, found))) continue;
            }
            faults.add(`overlap of ${pixels(found)}: ${a.name} and ${b.name}`);
        }

    // -- Cut off

    for (const item of all) {
        const header = item.element.closest("header")?.getBoundingClientRect();
        if (header && item.boxes.some(({ top, bottom }) => top < header.top - SLACK || bottom > header.bottom + SLACK))
            faults.add(`out of its header: ${item.name}`);
        if (!item.boxes.length && item.element.closest("[data-drops]")) continue;
        for (const { box: whole, limits } of item.whole) {
            let scrolled = false;
            for (const limit of limits) {
                const beyond = [];
                if (limit.x === "clip" && whole.left < limit.box.left - SLACK) beyond.push("left");
                if (limit.x === "clip" && whole.right > limit.box.right + SLACK) beyond.push("right");
                if (limit.y === "clip" && whole.top < limit.box.top - SLACK) beyond.push("top");
                if (limit.y === "clip" && whole.bottom > limit.box.bottom + SLACK) beyond.push("bottom");
                if (beyond.length && !scrolled)
                    faults.add(`cut off at the ${beyond.join(" and ")} by ${name(limit.element)}: ${item.name}`);
                if (limit.x === "scroll" || limit.y === "scroll") scrolled = true;
                if (beyond.length) break;
            }
            if (!scrolled && (whole.left < -SLACK || whole.right > width + SLACK))
                faults.add(`beside the page: ${item.name}`);
        }
    }
    if (document.scrollingElement.scrollWidth > width)
        faults.add(`the page is ${document.scrollingElement.scrollWidth} px wide in a window of ${width}`);

    // -- Scroll areas without room for a line

    for (const element of document.querySelectorAll("*")) {
        if (!isScrolling(style(element).overflowY) || element.closest(HIDDEN) || !isShown(element)) continue;
        if (element.scrollHeight > element.clientHeight + SLACK && element.clientHeight < LINE)
            faults.add(`only ${element.clientHeight} px tall to scroll in: ${name(element)}`);
    }

    // -- Controls that must be in view, and can be pressed

    /** Tell whether a control, or something in it, is the topmost element at some point of it. */
    const isPressable = (element) => {
        const { left, top, width: wide, height: tall } = element.getBoundingClientRect();
        for (let x = 1; x < 8; x++)
            for (let y = 1; y < 8; y++) {
                const hit = document.elementFromPoint(left + (wide * x) / 8, top + (tall * y) / 8);
                if (
                    hit &&
                    (hit === element || element.contains(hit) || (hit.contains(element) && hit.matches("label")))
                )
                    return true;
            }
        return false;
    };
    const isInWindow = (one) =>
        one.left >= -SLACK && one.top >= -SLACK && one.right <= width + SLACK && one.bottom <= height + SLACK;
    const isUnderLayer = (item) => {
        const layer = layerOf(document.elementFromPoint(...middle(item.boxes[0])));
        return layer && layer !== item.layer && !layer.contains(item.element);
    };
    for (const item of all)
        if (item.control && item.stack && item.boxes.length && isInWindow(item.boxes[0]))
            if (!isPressable(item.element) && !isUnderLayer(item)) faults.add(`covered: ${item.name}`);
    if (wanted)
        for (const element of document.querySelectorAll(wanted)) {
            if (element.closest(HIDDEN) || !isShown(element) || element.disabled || element.ariaDisabled === "true")
                continue;
            const whole = box(element.getBoundingClientRect());
            const visible = clippers(element).reduce((left, limit) => common(left, limit.box), whole);
            if (!isThere(whole)) continue;
            if (!isInWindow(whole) || !isThere(visible)) faults.add(`out of view without scrolling: ${name(element)}`);
            else if (!isPressable(element)) faults.add(`covered: ${name(element)}`);
        }
    return [...faults];
};
