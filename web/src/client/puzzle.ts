// Puzzles: tables for one, each named by the seed it is dealt from, so that it can be passed on and begun anew.
import { api } from "./api";
import type { GameInfo, OptionValue, TableInfo } from "../wire/types";

type Options = Readonly<Record<string, OptionValue>>;

/** Where a puzzle opens, for anybody: its game, its code, and the options that are not the usual ones. */
export function puzzleAddress({ game, seed, options }: TableInfo, info: GameInfo | null): string {
    const usual = new Map(info?.options.map(({ name, choices }) => [name, choices[0]]));
    const query = new URLSearchParams({ puzzle: seed ?? "" });
    for (const [name, value] of Object.entries(options)) {
        if (value !== usual.get(name)) query.set(name, String(value));
    }
    return `${location.origin}/new/${encodeURIComponent(game)}?${query}`;
}

/** The options that an address asks for, and the usual ones; what the game does not know is left out. */
export function optionsOf(query: string, info: GameInfo): Options {
    const asked = new URLSearchParams(query);
    return Object.fromEntries(
        info.options.map(({ name, choices }) => [
            name,
            choices.find((choice) => String(choice) === asked.get(name)) ?? choices[0] ?? false,
        ]),
    );
}

/** Create the same puzzle again; return the id of its table. */
export async function startOver({ game, seed, options }: TableInfo): Promise<string> {
    const table = await api.createTable({ game, seats: [{ kind: "me" }], options, seed, hints: true });
    return table.id;
}
