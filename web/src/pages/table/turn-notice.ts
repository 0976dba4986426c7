// When it is your turn and the tab is hidden: its title and icon say so, and a notification if you allowed it.
const ICON = "/icon.svg";
const DOTTED = "/icon-turn.svg";

/** Calls for attention while the tab is hidden; returns how to stop. */
export function notifyTurn(mine: boolean, title: string, body: string): () => void {
    const plain = document.title;
    let note: Notification | null = null;

    const show = (): void => {
        const away = document.hidden && mine;
        document.title = away ? title : plain;
        document
            .querySelector<HTMLLinkElement>('link[rel="icon"]')
            ?.setAttribute("href", away ? DOTTED : ICON);
        if (!away) {
            note?.close();
            note = null;
        } else if (!note && "Notification" in window && Notification.permission === "granted") {
            try {
                note = new Notification(title, { body, icon: DOTTED, tag: "sevenhues-turn" });
                note.onclick = () => window.focus();
            } catch {
                // Some phones only notify from a worker; title and icon must do there.
            }
        }
    };
    show();
    document.addEventListener("visibilitychange", show);
    return () => {
        document.removeEventListener("visibilitychange", show);
        note?.close();
        document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute("href", ICON);
        document.title = plain;
    };
}
