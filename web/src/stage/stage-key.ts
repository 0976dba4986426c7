// Which key presses are meant for the stage.

/** Name the key of a press that no field and no dialog takes; null for any other. `letters` allows single letters. */
export function stageKey(event: KeyboardEvent, letters: boolean): string | null {
    const target = event.target as HTMLElement | null;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
    if (target?.closest?.("input:not([type=radio], [type=checkbox], [type=range]), textarea, select"))
        return null;
    const name = event.key.toLowerCase();
    if ((name.length === 1 && !letters) || document.querySelector("dialog[open]")) return null;
    return name;
}
