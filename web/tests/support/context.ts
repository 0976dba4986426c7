// What a game's text functions are given, for a test: the view and the seat it names, and the rest by default.
import type { Context } from "../../src/board/contract";

export function context<V>(parts: Partial<Context<V>>): Context<V> {
    return {
        view: null as V,
        seat: 0,
        legal: [],
        moves: [],
        names: [],
        say: (key) => key,
        options: {},
        ...parts,
    };
}
