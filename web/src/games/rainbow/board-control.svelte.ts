// The board as one viewer sees it: what is shown, how it is laid out, and what keys and presses do.
import { untrack } from "svelte";
import type { BoardProps } from "../../board/contract";
import type { Pull } from "../../board/drag";
import { isShortcut } from "../../board/keys";
import { shake } from "../../pieces/motion";
import { Animation } from "./animation.svelte";
import { kindOf, lastChange, type Kind } from "./choices";
import { layoutFor, type Measured } from "./layout";
import { Selection, type How } from "./selection.svelte";
import type { View } from "./types";

export class BoardControl {
    root = $state<HTMLElement>();
    measured = $state<Measured>({ width: 0, height: 0, prompt: 0, actions: 0, seat: 0 });
    readonly animation: Animation;
    readonly selection: Selection;

    /** The props of the board are read as they are then, not as they are now. */
    constructor(readonly board: BoardProps<View>) {
        this.animation = new Animation(
            untrack(() => board.view),
            () => this.root,
            () => board.settings.still,
            () => board.goOn(),
        );
        this.selection = new Selection(() => {
            const { view, seat, legal, settings, send, sound } = board;
            return { view, seat, legal, confirm: settings.confirm, held: this.held, send, sound };
        });
    }

    readonly layout = $derived.by(() =>
        layoutFor(
            { ...this.measured, actions: this.acting ? this.measured.actions : 0 },
            parseFloat(getComputedStyle(document.documentElement).fontSize) / 10 || 1,
        ),
    );
    readonly scene = $derived.by(() => this.animation.sceneFor(this.board.view));
    /** The last move that changed the row: it stays marked until the next one does. */
    readonly marked = $derived.by((): { place: number; kind: Kind } | null => {
        const { last, row } = this.scene;
        if (last && last.place !== null) return { place: last.place, kind: kindOf(last.move) };
        return lastChange(this.board.moves, row.length);
    });

    get near(): number {
        return this.board.seat === 1 ? 1 : 0;
    }
    get far(): number {
        return 1 - this.near;
    }
    get watching(): boolean {
        return this.board.seat < 0;
    }
    /** The viewer is a player and the game goes on. */
    get active(): boolean {
        const { readOnly, view, result } = this.board;
        return !this.watching && !readOnly && view.turn !== null && !result;
    }
    /** The end of a round is shown. */
    get held(): boolean {
        return this.animation.holding;
    }
    /** There is something for the viewer to do. */
    get acting(): boolean {
        return this.active || (this.held && !this.watching && !this.board.readOnly);
    }
    /** The move that a hint names. */
    get hinted(): string | null {
        return this.held ? null : (this.board.hinted ?? null);
    }
    /** What the picked or aimed card needs next, in words. */
    get note(): string {
        const { cardMissing, place, choosing } = this.selection;
        const key = cardMissing ? "hand.first" : place !== null ? "row.again" : choosing ? "row.aim" : null;
        return key ? this.board.say(key) : "";
    }

    /** The face of a card of the viewer's hand. */
    faceIn(slot: number | null): string | null {
        return slot === null ? null : (this.scene.hands[this.near]?.[slot]?.face ?? null);
    }

    /** Take in the position. */
    see(): void {
        const { before, view, seat, readOnly, sound } = this.board;
        untrack(() => {
            this.animation.receive(before, view, seat >= 0 && !readOnly);
            const { last } = view;
            if (!before || !last) return;
            if (last.end === "rainbow") sound("rainbow");
            else if (last.round_end) sound("clash");
            else sound(last.move[0] === "F" || last.move[0] === "B" ? "flip" : "land");
        });
    }

    /** Answer a refusal: a dragged card goes back, a picked one stays picked. */
    refuse(): void {
        this.selection.putBack();
        const piece = this.root?.querySelector<HTMLElement>(".piece.picked");
        if (piece && !this.board.settings.still) shake(piece);
    }

    chooseFromRow(): void {
        this.selection.startTurning();
        if (this.selection.choosing) this.root?.querySelector<HTMLElement>(".row button")?.focus();
    }

    /** The half of the row's next place that a dragged card is over: the upper one as seen, the lower one blind. */
    half(pull: Pull): How | null {
        const row = this.root?.querySelector(".row ol")?.getBoundingClientRect();
        if (!row || pull.x < row.left - 20 || pull.x > row.right + 20) return null;
        if (pull.y < row.top - 30 || pull.y > row.bottom + 20) return null;
        return pull.y < (row.top + row.bottom) / 2 ? "seen" : "blind";
    }

    key(event: KeyboardEvent): void {
        if (!isShortcut(event) || event.key === "Tab" || event.key === "Shift") return;
        const onControl = (event.target as HTMLElement | null)?.closest?.("button, a") ?? null;
        if (this.held && !(onControl && ["Enter", " "].includes(event.key))) {
            event.preventDefault();
            this.animation.goOn();
        } else if (this.held || !this.active) return;
        else if (event.key === "Escape") this.selection.clear();
        else if (!this.board.settings.keys) return;
        else if (event.key.toLowerCase() === "f") this.chooseFromRow();
        else this.selection.key(event.key.toLowerCase());
    }
}
