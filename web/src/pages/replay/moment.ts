// A moment of a replay in the address: `?move=14&as=0`, so that it can be passed on.

/** Whose viewpoint: a seat's, a watcher's, or those of somebody who sees everything. */
export type Viewpoint = number | "watcher" | "everything";

export interface Moment {
    ply: number;
    viewpoint: Viewpoint | null; // null: nobody said
}

/** Reads the query of an address; what makes no sense is left out. */
export function momentOf(query: string): Moment {
    const asked = new URLSearchParams(query);
    const move = asked.get("move") ?? "";
    const as = asked.get("as") ?? "";
    let viewpoint: Viewpoint | null = null;
    if (as === "watcher" || as === "everything") viewpoint = as;
    else if (/^\d{1,2}$/.test(as)) viewpoint = Number(as);
    return { ply: /^\d{1,6}$/.test(move) ? Number(move) : 0, viewpoint };
}

/** The path of a moment. */
export function momentPath(table: string, ply: number, viewpoint: Viewpoint): string {
    return `/t/${table}/replay?move=${ply}&as=${viewpoint}`;
}
