// The pages of the client, and the paths that lead to them.
export type Route =
    | { page: "home" }
    | { page: "table"; id: string }
    | { page: "replayed"; id: string } // a finished game
    | { page: "new"; game: string }
    | { page: "learn"; game: string | null }
    | { page: "rules"; game: string | null }
    | { page: "watch" }
    | { page: "replay" }
    | { page: "ratings"; game: string | null }
    | { page: "player"; id: string }
    | { page: "bots" } // of the user
    | { page: "transfer"; code: string }
    | { page: "email"; action: "confirm" | "stop"; token: string } // from a link in an e-mail
    | { page: "lost" };

/** Reads a path; anything unknown is `lost`. */
export function routeOf(path: string, hash: string): Route {
    let parts: string[];
    try {
        parts = path.split("/").filter(Boolean).map(decodeURIComponent);
    } catch {
        return { page: "lost" };
    }
    const [first = "", second, third, fourth] = parts;
    if (first === "t" && second && third === "replay" && fourth === undefined)
        return { page: "replayed", id: second };
    if (third !== undefined) return { page: "lost" };
    if (first === "") return { page: "home" };
    if (first === "t" && second) return { page: "table", id: second };
    if (first === "new" && second) return { page: "new", game: second };
    if (first === "learn") return { page: "learn", game: second ?? null };
    if (first === "rules") return { page: "rules", game: second ?? null };
    if (first === "ratings") return { page: "ratings", game: second ?? null };
    if (first === "players" && second) return { page: "player", id: second };
    if (second !== undefined) return { page: "lost" };
    if (first === "bots") return { page: "bots" };
    if (first === "watch" || first === "replay") return { page: first };
    if (first === "transfer" || first === "carry") return { page: "transfer", code: hash.slice(1) }; // carry: old links
    if (first === "confirm-email") return { page: "email", action: "confirm", token: hash.slice(1) };
    if (first === "unsubscribe") return { page: "email", action: "stop", token: hash.slice(1) };
    return { page: "lost" };
}
