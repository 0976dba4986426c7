// Keeps the keyboard's place: when what it was on goes, it stands on what held it, and Tab goes on from there. It never
// comes to another button by itself, where a key pressed twice would do something that was not meant.
import type { Attachment } from "svelte/attachments";

const HOLDERS = "ul, ol, section, [role=group], [role=region], [aria-label]";

export const keepFocus: Attachment<HTMLElement> = (stage) => {
    let holders: HTMLElement[] = []; // of what has the focus by the keyboard, innermost first

    const note = (event: FocusEvent): void => {
        const at = event.target as HTMLElement;
        holders = [];
        if (!at.matches(":focus-visible")) return;
        for (let held = at.parentElement; held && held !== stage; held = held.parentElement)
            if (held.matches(HOLDERS)) holders.push(held);
    };
    const mend = (): void => {
        if (document.activeElement !== document.body || document.querySelector("dialog[open]")) return;
        const to = holders.find((one) => one.isConnected && one.checkVisibility());
        if (!to) return;
        if (!to.hasAttribute("tabindex")) to.tabIndex = -1;
        to.focus({ preventScroll: true });
    };
    // A button that is disabled loses the focus only when the page is drawn next.
    const changed = (): void => {
        mend();
        requestAnimationFrame(() => setTimeout(mend));
    };
    const letGo = (): void => void (holders = []);

    const watch = new MutationObserver(changed);
    watch.observe(stage, { childList: true, subtree: true, attributeFilter: ["disabled", "hidden"] });
    stage.addEventListener("focusin", note);
    addEventListener("pointerdown", letGo);
    return () => {
        watch.disconnect();
        stage.removeEventListener("focusin", note);
        removeEventListener("pointerdown", letGo);
    };
};
