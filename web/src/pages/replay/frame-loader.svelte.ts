// The frames of a finished game, for each pair of viewpoint that was looked through; loaded page by page, the one that is
// looked at first.
import { api } from "../../client/api";
import type { Frame, Moved } from "../../wire/types";
import type { Viewpoint } from "./moment";

const PAGE = 100;

export type Frames = readonly (Frame | undefined)[]; // by ply; undefined where it is still on its way

export class FrameLoader {
    moves = $state.raw<readonly Moved[]>([]); // of the whole game
    #frames = $state.raw<ReadonlyMap<string, Frames>>(new Map());
    #asked = new Set<string>();

    constructor(
        readonly table: string,
        readonly plies: number,
        readonly failed: (error: unknown) => void,
    ) {}

    /** What is here of the game through these viewpoint. */
    seen(viewpoint: Viewpoint, text: boolean): Frames {
        return this.#frames.get(key(viewpoint, text)) ?? [];
    }

    /** Has all of it loaded, from the page of one moment on. */
    load(viewpoint: Viewpoint, text: boolean, ply: number): void {
        const name = key(viewpoint, text);
        if (this.#asked.has(name)) return;
        this.#asked.add(name);
        const first = Math.floor(ply / PAGE) * PAGE;
        const starts = Array.from({ length: Math.floor(this.plies / PAGE) + 1 }, (_, i) => i * PAGE);
        const order = [first, ...starts.filter((start) => start !== first)];
        void this.#loadAll(viewpoint, text, order).catch((error: unknown) => {
            this.#asked.delete(name);
            this.failed(error);
        });
    }

    async #loadAll(viewpoint: Viewpoint, text: boolean, starts: readonly number[]): Promise<void> {
        for (const start of starts) {
            const { frames, moves } = await api.replay(this.table, viewpoint, start, PAGE, text);
            this.moves = moves;
            const now = Array.from({ length: this.plies + 1 }, (_, ply) => this.seen(viewpoint, text)[ply]);
            for (const frame of frames) now[frame.ply] = frame;
            this.#frames = new Map(this.#frames).set(key(viewpoint, text), now);
        }
    }
}

function key(viewpoint: Viewpoint, text: boolean): string {
    return `${viewpoint}${text ? " as text" : ""}`;
}
