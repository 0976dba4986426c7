// What the player has picked, aims at and points the keyboard at. It reads the choices and sends move texts; it knows no
// rules: an illegal press is sent too, and the server's refusal says why.
import type { Settings } from "../../board/contract";
import { neighbours, nextToward, type Point } from "./cells";
import { NONE, able, flipText, jumpText, placeText, slideText, wayTo, type Choices } from "./choices";
import { CLOVER } from "./text";
import type { Tile, View } from "./types";

/** The position and what can be done in it. */
export interface Position {
    view: View;
    choices: Choices;
    settings: Settings;
    send(text: string): void;
}

const TOWARD: Record<string, Point> = {
    ArrowLeft: { x: -1, y: 0 },
    ArrowRight: { x: 1, y: 0 },
    ArrowUp: { x: 0, y: -1 },
    ArrowDown: { x: 0, y: 1 },
};

export class Selection {
    // Both hold for the view they were made in, so that a new position clears them and a refusal does not.
    #picked = $state.raw<{ view: View; tile: number } | null>(null);
    #aim = $state.raw<{ view: View; cell: string; chosen: boolean } | null>(null);
    focused = $state<string | null>(null); // the cell that had the keyboard focus last
    side = 0; // the edge at which a clover was tapped

    constructor(readonly position: () => Position) {}

    /** The picked tile's number: a tile to slide, or a clover to flip. */
    get picked(): number | null {
        return this.#picked?.view === this.position().view ? this.#picked.tile : null;
    }

    get tile(): Tile | null {
        const { picked } = this;
        return this.position().view.tiles.find(({ tile }) => tile === picked) ?? null;
    }

    /** The lit cell under the pointer or the keyboard focus, or tapped once. */
    get aimed(): string | null {
        const aim = this.#aim;
        return aim?.view === this.position().view && this.lit.includes(aim.cell) ? aim.cell : null;
    }

    /** Whether the aimed cell was chosen by a tap or a key: then a button confirms it. */
    get chosen(): boolean {
        return this.aimed !== null && this.#aim?.chosen === true;
    }

    /** The cells that are lit now. */
    get lit(): readonly string[] {
        const { places, slides, jumps } = this.position().choices;
        if (places.length > 0) return places;
        if (jumps.length > 0) return jumps.map(({ cell }) => cell);
        return this.picked === null ? [] : (slides.get(this.picked) ?? []);
    }

    /** The way to the aimed cell, both ends included. */
    get way(): string[] {
        const { tile, aimed } = this;
        return tile && aimed !== null ? wayTo(tile, aimed) : [];
    }

    clear(): void {
        this.#picked = null;
        this.#aim = null;
    }

    pick({ tile }: Tile): void {
        this.#picked = { view: this.position().view, tile };
        this.#aim = null;
    }

    /** Aim at a cell; `chosen` by a tap or a key, not by hovering. */
    aim(cell: string | null, chosen = false): void {
        this.#aim = cell === null ? null : { view: this.position().view, cell, chosen };
    }

    /** Handle a tap on a cell; `touch` asks twice before what cannot be undone. */
    tap(cell: string, touch: boolean, side = 0): void {
        const { view, choices, settings } = this.position();
        if (this.lit.includes(cell)) {
            if (touch && settings.confirm && this.picked === null && this.aimed !== cell)
                this.aim(cell, true);
            else this.go(cell);
            return;
        }
        const tile = view.tiles.find((other) => other.cell === cell);
        if (!tile) {
            if (!this.#tryCell(cell)) this.clear();
            return;
        }
        this.focused = cell;
        if (choices.flips.has(tile.tile)) {
            this.side = side;
            if (this.picked === tile.tile || !settings.confirm) this.#send(flipText(tile));
            else this.pick(tile);
        } else if (choices.slides.has(tile.tile)) {
            if (this.picked === tile.tile) this.clear();
            else this.pick(tile);
        } else this.#try(tile);
    }

    /** Place, jump or slide to a lit cell. */
    go(cell: string): void {
        if (this.lit.includes(cell)) this.#send(this.#moveTo(cell));
    }

    /** Drop the dragged tile on a cell. Return whether a move was sent. */
    drop(cell: string): boolean {
        if (this.lit.includes(cell)) this.go(cell);
        else if (cell === this.tile?.cell || !this.#tryCell(cell)) return false;
        return true;
    }

    flip(tile: Tile | null): void {
        if (tile) this.#send(flipText(tile));
    }

    /** Do what the main button says: flip the picked clover, or go to the aimed cell. */
    confirm(): void {
        if (this.tile?.face === CLOVER) this.flip(this.tile);
        else if (this.aimed !== null) this.go(this.aimed);
    }

    // -- The keyboard

    /** The cell that Tab comes to. */
    get cursor(): string | null {
        const { view, choices } = this.position();
        const { focused, lit } = this;
        if (focused !== null && (lit.includes(focused) || view.tiles.some(({ cell }) => cell === focused)))
            return focused;
        return (
            choices.places[0] ??
            choices.jumps[0]?.cell ??
            able(view, choices)[0]?.cell ??
            view.tiles[0]?.cell ??
            null
        );
    }

    /** Go to the next cell in the direction of an arrow key, among the lit ones if there are any. Return whether it was one. */
    arrow(key: string): boolean {
        const toward = TOWARD[key];
        const { cursor, lit } = this;
        if (!toward || cursor === null) return false;
        const tiles = this.position().view.tiles.map(({ cell }) => cell);
        const next = nextToward(cursor, toward, lit.length > 0 ? lit : tiles);
        if (next !== null) this.focus(next);
        return true;
    }

    /** Go to the next tile that can be moved, or to the one before it. */
    next(step: 1 | -1): void {
        const { view, choices } = this.position();
        const { lit } = this;
        const cells =
            this.picked === null && lit.length > 0 ? lit : able(view, choices).map(({ cell }) => cell);
        if (cells.length === 0) return this.#try(this.tileAtCursor);
        const at = cells.indexOf(this.cursor ?? "");
        const first = step > 0 ? 0 : cells.length - 1;
        const to = at < 0 || this.focused === null ? first : (at + step + cells.length) % cells.length;
        if (this.picked !== null) this.clear();
        this.focus(cells[to] ?? null);
    }

    focus(cell: string | null): void {
        this.focused = cell;
        this.aim(cell, true);
    }

    /** The tile with the keyboard focus. */
    get tileAtCursor(): Tile | null {
        const { cursor } = this;
        return this.position().view.tiles.find(({ cell }) => cell === cursor) ?? null;
    }

    // -- Moves

    #moveTo(cell: string): string {
        const { places, jumps } = this.position().choices;
        if (places.length > 0) return placeText(cell);
        return jumps.length > 0 || !this.tile ? jumpText(cell) : slideText(this.tile, cell);
    }

    /** Try a move to a cell that is not lit, at the patch or where a jump came from. Return whether a move was sent. */
    #tryCell(cell: string): boolean {
        const { view, choices } = this.position();
        const near = [cell, ...neighbours(cell)];
        const meant =
            (choices.jumps.length > 0 || choices.slides.has(this.picked ?? -1)) &&
            (cell === view.previous || view.tiles.some((tile) => near.includes(tile.cell)));
        if (meant) this.#send(this.#moveTo(cell));
        return meant;
    }

    /** Try to flip or slide a tile that cannot be moved: the refusal says why. */
    #try(tile: Tile | null): void {
        if (tile) this.#send(tile.face === CLOVER ? flipText(tile) : slideText(tile, tile.cell));
    }

    /** Send a move, unless another is under way or a watcher tries one. */
    #send(text: string): void {
        const { view, choices, send } = this.position();
        const waits = view.turn !== null && view.turn !== view.viewer && view.viewer >= 0; // for another player
        if (choices !== NONE || waits) send(text);
    }
}
