// The current route. Links are plain <a href>; the client follows those to its own pages without loading it anew.
import type { OpenPage, WhichPage } from "./push-messages";
import { routeOf, type Route } from "./routes";

export class Router {
    route = $state<Route>(routeOf(location.pathname, location.hash));

    constructor() {
        addEventListener("popstate", () => this.#read());
        addEventListener("click", (event) => this.#follow(event));
        // The service worker opens a page in this tab when its notification is clicked.
        navigator.serviceWorker?.addEventListener(
            "message",
            ({ data, ports }: MessageEvent<WhichPage | OpenPage>) => {
                if (data.type === "which-page") ports[0]?.postMessage(location.pathname);
                if (data.type === "open-page" && data.path !== location.pathname) this.go(data.path);
            },
        );
    }

    go(path: string, replace = false): void {
        if (replace) history.replaceState(null, "", path);
        else history.pushState(null, "", path);
        this.#read();
        scrollTo(0, 0);
    }

    #read(): void {
        const route = routeOf(location.pathname, location.hash);
        if (JSON.stringify(route) !== JSON.stringify(this.route)) this.route = route;
    }

    #follow(event: MouseEvent): void {
        if (
            event.defaultPrevented ||
            event.button ||
            event.metaKey ||
            event.ctrlKey ||
            event.shiftKey ||
            event.altKey
        )
            return;
        const link = (event.target as Element | null)?.closest?.("a[href]");
        if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
        if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
        if (link.pathname === location.pathname && link.hash) return;
        event.preventDefault();
        this.go(link.pathname + link.search + link.hash);
    }
}
