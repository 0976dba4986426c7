// The box that the board is given: its measures, how the parts are arranged in it, and how big the pieces are.
import { roadFor } from "./geometry";

/** Below each other, beside the road, or all on one mat. */
type Shape = "stack" | "beside" | "mat";

/** The sizes of the board and of its parts, in px; 0 until they are measured. */
export interface Box {
    width: number;
    height: number;
    roadWidth: number;
    roadHeight: number;
    handWidth: number;
}

export interface Layout {
    shape: Shape;
    low: boolean; // small texts and edges
    tiny: boolean; // the prompt is elsewhere, and the pranks are beside the hand
    tight: boolean; // of a mat: short texts
    wide: boolean; // room for captions and other hands
    card: number; // the width of a card of the hand
    hand: number; // the width that a full hand may take
}

const BESIDE_HAND = 640; // px of the mat for the seat and the pranks
const FAN = 5.5; // a full hand's width by the width of a card
const EDGE = 14; // px of a hand's second card of one number

/** High and wide: all on one mat. Low and wide: everything beside the road. Else below each other. */
function shapeFor({ width, height }: Box): Shape {
    if (width === 0 || (width >= 900 && height >= 640)) return "mat";
    return width >= 440 && width > height * 1.15 ? "beside" : "stack";
}

function cardFor(shape: Shape, { width, height, handWidth }: Box): number {
    const fitting = {
        mat: Math.min(height / 10, (width - BESIDE_HAND) / FAN),
        beside: Math.min(height / 6.6, (handWidth - EDGE) / FAN),
        stack: height / 10.5,
    }[shape];
    return Math.round(Math.max(44, Math.min(shape === "stack" ? width / 5.6 : 88, fitting || 80, 88)));
}

export function layoutFor(box: Box): Layout {
    const shape = shapeFor(box);
    const card = cardFor(shape, box);
    return {
        shape,
        low: shape !== "mat" && box.height < (shape === "stack" ? 560 : 480),
        tiny: shape === "stack" && box.height > 0 && box.height < 400,
        tight: box.height > 0 && box.height < 740,
        wide: shape === "mat" || box.width >= 600,
        card,
        hand: shape === "mat" ? card * FAN + EDGE : box.handWidth,
    };
}

export class Frame {
    root = $state<HTMLElement>();
    box = $state<Box>({ width: 0, height: 0, roadWidth: 0, roadHeight: 0, handWidth: 0 });
    readonly layout = $derived(layoutFor(this.box));
    readonly road = $derived(roadFor(this.box.roadWidth, this.box.roadHeight, this.layout.shape === "mat"));
}
