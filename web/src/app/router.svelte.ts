// Where we are, by the path of the address. Links are plain <a href>; a click on one inside the client stays in it.
export type Place =
    | { page: "home" }
    | { page: "table"; id: string }
    | { page: "new"; game: string }
    | { page: "rules"; game: string | null }
    | { page: "watch" }
    | { page: "replay" }
    | { page: "carry"; code: string }
    | { page: "lost" };

/** Reads a path; anything unknown is `lost`. */
export function placeOf(path: string, hash: string): Place {
    const [first = "", second, third] = path.split("/").filter(Boolean).map(decodeURIComponent);
    if (third !== undefined) return { page: "lost" };
    if (first === "") return { page: "home" };
    if (first === "t" && second) return { page: "table", id: second };
    if (first === "new" && second) return { page: "new", game: second };
    if (first === "rules") return { page: "rules", game: second ?? null };
    if (second !== undefined) return { page: "lost" };
    if (first === "watch" || first === "replay") return { page: first };
    if (first === "carry") return { page: "carry", code: hash.slice(1) };
    return { page: "lost" };
}

class Router {
    place = $state<Place>(placeOf(location.pathname, location.hash));

    constructor() {
        addEventListener("popstate", () => this.#read());
        addEventListener("click", (event) => this.#follow(event));
    }

    go(path: string, replace = false): void {
        if (replace) history.replaceState(null, "", path);
        else history.pushState(null, "", path);
        this.#read();
        scrollTo(0, 0);
    }

    #read(): void {
        const place = placeOf(location.pathname, location.hash);
        if (JSON.stringify(place) !== JSON.stringify(this.place)) this.place = place;
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

export const router = new Router();
