// A moment of a replay in the address: `?move=14&as=0`, so that it can be passed on.

/** Whose eyes: a seat's, a watcher's, or those of somebody who sees everything. */
export type Eyes = number | "watcher" | "everything";

export interface Moment {
    ply: number;
    eyes: Eyes | null; // null: nobody said
}

/** Reads the query of an address; what makes no sense is left out. */
export function momentOf(query: string): Moment {
    const asked = new URLSearchParams(query);
    const move = asked.get("move") ?? "";
    const as = asked.get("as") ?? "";
    let eyes: Eyes | null = null;
    if (as === "watcher" || as === "everything") eyes = as;
    else if (/^\d{1,2}$/.test(as)) eyes = Number(as);
    return { ply: /^\d{1,6}$/.test(move) ? Number(move) : 0, eyes };
}

/** The path of a moment. */
export function momentPath(table: string, ply: number, eyes: Eyes): string {
    return `/t/${table}/replay?move=${ply}&as=${eyes}`;
}
