// Moves the camera: it fits the patch until somebody pans or zooms, and again when the patch leaves the view.
import { fit, follow, panned, revealing, shows, zoomed, type Camera, type Insets, type Size } from "./camera";
import type { Point } from "./cells";

const STEP = 1.3; // a press of + or -

export class CameraControl {
    camera = $state.raw<Camera>({ x: 0, y: 0, scale: 1 });
    glides = $state(false); // the last change is shown as a movement
    ready = $state(false);
    fits = $state(true); // the whole patch is shown as large as it can be

    #size: Size = { width: 0, height: 0 };
    #insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
    #cells: readonly string[] = [];
    #free = false; // somebody has panned or zoomed

    /** Take the size of the board, and what lies over its edges. */
    resize(size: Size, insets: Insets): void {
        const glides = size.width === this.#size.width;
        this.#size = size;
        this.#insets = insets;
        if (size.width > 0 && !this.#free && this.#cells.length > 0) this.#set(this.#fitted(), glides);
    }

    /** Follow the patch to these cells; the last change was at one of them. */
    see(cells: readonly string[], changed: string | null): void {
        this.#cells = cells;
        if (this.#size.width === 0) return;
        if (!this.ready) return this.#set(this.#fitted(), false);
        const away = changed !== null && !shows(this.camera, [changed], this.#size, 0);
        if (this.#free && !away) return;
        this.#free = false;
        this.#set(follow(this.camera, cells, this.#size, this.#insets), true);
    }

    fit(): void {
        this.#free = false;
        this.#set(this.#fitted(), true);
    }

    pan(dx: number, dy: number): void {
        this.#free = true;
        this.#set(panned(this.camera, dx, dy), false);
    }

    zoom(factor: number, about: Point): void {
        this.#free = true;
        this.#set(zoomed(this.camera, factor, about), false);
    }

    /** Zoom one step in or out, about the middle. */
    step(nearer: boolean): void {
        const { width, height } = this.#size;
        this.#free = true;
        this.#set(zoomed(this.camera, nearer ? STEP : 1 / STEP, { x: width / 2, y: height / 2 }), true);
    }

    /** Pan until a cell is in view. */
    reveal(cell: string): void {
        if (this.ready) this.#set(revealing(this.camera, cell, this.#size), true);
    }

    #fitted(): Camera {
        return fit(this.#cells, this.#size, this.#insets);
    }

    #set(camera: Camera, glides: boolean): void {
        this.glides = glides && this.ready;
        this.camera = camera;
        const { x, y, scale } = this.#fitted();
        this.fits = Math.hypot(x - camera.x, y - camera.y) < 1 && Math.abs(scale - camera.scale) < 0.01;
        this.ready = true;
    }
}
