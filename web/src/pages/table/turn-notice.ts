// When it is your turn and the tab is hidden: its title and icon say so.
const ICON = "/icon.svg";
const DOTTED = "/icon-turn.svg";

/** Calls for attention while the tab is hidden; returns how to stop. */
export function notifyTurn(mine: boolean, title: string): () => void {
    const plain = document.title;

    const show = (): void => {
        const away = document.hidden && mine;
        document.title = away ? title : plain;
        document
            .querySelector<HTMLLinkElement>('link[rel="icon"]')
            ?.setAttribute("href", away ? DOTTED : ICON);
    };
    show();
    document.addEventListener("visibilitychange", show);
    return () => {
        document.removeEventListener("visibilitychange", show);
        document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.setAttribute("href", ICON);
        document.title = plain;
    };
}
