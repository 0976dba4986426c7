// Makes the buttons inside a list one stop for Tab; arrows, Home and End move between them.
import type { Attachment } from "svelte/attachments";

export const rovingFocus: Attachment<HTMLElement> = (list) => {
    const buttons = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>("button")];
    const stopAt = (stop: HTMLElement | undefined): void => {
        for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
    };
    const settle = (): void => {
        const all = buttons();
        stopAt(
            all.find((button) => button === document.activeElement) ??
                all.find((button) => button.tabIndex === 0) ??
                all[0],
        );
    };
    const onKey = (event: KeyboardEvent): void => {
        const all = buttons();
        const at = all.indexOf(document.activeElement as HTMLElement);
        const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
        if (to === undefined || at < 0) return;
        event.preventDefault();
        all[Math.max(0, Math.min(all.length - 1, to))]?.focus();
    };
    const onFocus = (event: FocusEvent): void => stopAt(event.target as HTMLElement);

    settle();
    const watch = new MutationObserver(settle);
    watch.observe(list, { childList: true, subtree: true });
    list.addEventListener("keydown", onKey);
    list.addEventListener("focusin", onFocus);
    return () => {
        watch.disconnect();
        list.removeEventListener("keydown", onKey);
        list.removeEventListener("focusin", onFocus);
    };
};
