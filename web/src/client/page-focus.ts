// A new page begins at its beginning for the keyboard too: once it is there, unless something of it has the focus already.
const PATIENCE = 5000;

export function focusPage(): void {
    const until = performance.now() + PATIENCE;
    const look = (): void => {
        if (document.activeElement !== document.body) return;
        const main = document.getElementById("main");
        if (main) main.focus({ preventScroll: true });
        else if (performance.now() < until) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}
