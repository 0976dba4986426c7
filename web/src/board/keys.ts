// Which key presses may be shortcuts.

/** Whether a press is not taken yet, has no modifier, and is made neither in a dialog nor in one of these fields. */
export function isShortcut(event: KeyboardEvent, fields = "input, textarea, select"): boolean {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.target as HTMLElement | null;
    return !target?.closest?.(fields) && !document.querySelector("dialog[open]");
}
