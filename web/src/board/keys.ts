// Which key presses are meant for the board.

/** Whether a press is meant for the board: not typed into a field, not in a dialog, not with a modifier. */
export function isBoardKey(event: KeyboardEvent): boolean {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.target as HTMLElement | null;
    return !target?.closest?.("input, textarea, select, dialog") && !document.querySelector("dialog[open]");
}
