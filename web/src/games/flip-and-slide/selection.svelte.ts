// What this person holds over the meadow: the tile they picked, the cell they aim at, where the keyboard stands, and why a
// tile does not move. It reads what may be done and sends texts; it knows no rules.
import type { Settings } from "../../board/contract";
import { nextToward, type Point } from "./cells";
import { able, flipText, jumpText, placeText, slideText, wayTo, type Choices } from "./choices";
import type { Tile, View } from "./types";
import { CLOVER } from "./words";

/** What the hand can see and do, read anew each time. */
export interface Table {
    view: View;
    choices: Choices;
    settings: Settings;
    send(text: string): void;
}

/** Why nothing happened: the key of a refusal. */
export interface Why {
    key: string;
    tile: number;
}

const TOWARD: Record<string, Point> = {
    ArrowLeft: { x: -1, y: 0 },
    ArrowRight: { x: 1, y: 0 },
    ArrowUp: { x: 0, y: -1 },
    ArrowDown: { x: 0, y: 1 },
};

export class Hand {
    picked = $state<number | null>(null); // a tile, or a clover that is lifted
    aimed = $state<string | null>(null); // a lit cell
    stands = $state<string | null>(null); // where the keyboard stands
    why = $state.raw<Why | null>(null);
    side = 0; // of a clover: the edge it was tapped at

    constructor(readonly table: () => Table) {}

    /** The picked tile as it lies. */
    get tile(): Tile | null {
        return this.table().view.tiles.find(({ tile }) => tile === this.picked) ?? null;
    }

    /** The cells that are lit now. */
    get lit(): readonly string[] {
        const { places, slides, jumps } = this.table().choices;
        if (places.length > 0) return places;
        if (jumps.length > 0) return jumps.map(({ cell }) => cell);
        return this.picked === null ? [] : (slides.get(this.picked) ?? []);
    }

    /** The way to the aimed cell, both ends included. */
    get way(): string[] {
        const { tile, aimed } = this;
        return tile && aimed !== null && this.lit.includes(aimed) ? wayTo(tile, aimed) : [];
    }

    forget(): void {
        this.picked = null;
        this.aimed = null;
        this.why = null;
    }

    pick(tile: Tile): void {
        this.forget();
        this.picked = tile.tile;
    }

    /** A tap on a cell of the meadow; `careful` where a slip is likely, so that what cannot be undone asks twice. */
    tap(cell: string, careful: boolean, side = 0): void {
        const { view, choices, settings } = this.table();
        if (this.lit.includes(cell)) {
            const twice = careful && settings.confirm && this.picked === null;
            if (twice && this.aimed !== cell) this.aimed = cell;
            else this.go(cell);
            return;
        }
        const tile = view.tiles.find((other) => other.cell === cell);
        if (!tile) return this.forget(); // empty ground
        this.stands = cell;
        if (choices.flips.has(tile.tile)) {
            this.side = side;
            if (this.picked === tile.tile || !settings.confirm) this.flip(tile);
            else this.pick(tile);
        } else if (choices.slides.has(tile.tile)) {
            if (this.picked === tile.tile) this.forget();
            else this.pick(tile);
        } else {
            this.forget();
            this.explain(tile);
        }
    }

    /** To a lit cell: places, jumps or slides. */
    go(cell: string): void {
        const { choices, send } = this.table();
        if (!this.lit.includes(cell)) return;
        if (choices.places.length > 0) return send(placeText(cell));
        if (choices.jumps.length > 0) return send(jumpText(cell));
        if (this.tile) send(slideText(this.tile, cell));
    }

    flip(tile: Tile | null): void {
        const { choices, send } = this.table();
        if (tile && choices.flips.has(tile.tile)) send(flipText(tile));
    }

    /** What the main button says: flips the lifted clover, or goes to the aimed cell. */
    confirm(): void {
        if (this.tile && this.tile.face === CLOVER) this.flip(this.tile);
        else if (this.aimed !== null) this.go(this.aimed);
    }

    /** A pointer is over a cell. */
    hover(cell: string | null): void {
        this.aimed = cell !== null && this.lit.includes(cell) ? cell : null;
    }

    // -- By keys

    /** Where the keyboard stands: the cell that Tab comes to. */
    get cursor(): string | null {
        const { view, choices } = this.table();
        const { stands, lit } = this;
        const there = (cell: string): boolean =>
            lit.includes(cell) || view.tiles.some((tile) => tile.cell === cell);
        if (stands !== null && there(stands)) return stands;
        return (
            choices.places[0] ??
            choices.jumps[0]?.cell ??
            able(view, choices)[0]?.cell ??
            view.tiles[0]?.cell ??
            null
        );
    }

    /** An arrow: to the next cell that way, among the lit ones once a tile is picked. Tells whether it was one. */
    arrow(key: string): boolean {
        const toward = TOWARD[key];
        const { cursor, lit } = this;
        if (!toward || cursor === null) return false;
        const tiles = this.table().view.tiles.map(({ cell }) => cell);
        const next = nextToward(cursor, toward, lit.length > 0 ? lit : tiles);
        if (next !== null) this.stand(next);
        return true;
    }

    /** To the next tile that may act, or the one before it. */
    next(step: 1 | -1): void {
        const { view, choices } = this.table();
        const { lit } = this;
        const cells =
            this.picked === null && lit.length > 0 ? lit : able(view, choices).map(({ cell }) => cell);
        if (cells.length === 0) return;
        const at = cells.indexOf(this.cursor ?? "");
        const first = step > 0 ? 0 : cells.length - 1;
        const to = at < 0 || this.stands === null ? first : (at + step + cells.length) % cells.length;
        if (this.picked !== null) this.forget();
        this.stand(cells[to] ?? null);
    }

    stand(cell: string | null): void {
        this.stands = cell;
        this.hover(cell);
    }

    /** The tile the keyboard stands on. */
    get under(): Tile | null {
        return this.table().view.tiles.find(({ cell }) => cell === this.cursor) ?? null;
    }

    private explain(tile: Tile): void {
        const { choices } = this.table();
        if (choices.jumps.length > 0) this.why = { key: "jump", tile: tile.tile };
        else if (tile.fixed !== null) this.why = { key: tile.fixed, tile: tile.tile };
    }
}
