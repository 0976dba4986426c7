// Flip & Slide's part of the wire by short names.
import type { components } from "../../wire";

type Schemas = components["schemas"];

export type View = Schemas["FlipAndSlideView"];
export type Tile = Schemas["FlipAndSlideTile"];
export type Jump = Schemas["FlipAndSlideJump"];
export type Last = Schemas["FlipAndSlideLast"];

/** A shared puzzle: its code, where it can be opened, and a fresh table of it. */
export interface Puzzle {
    code: string;
    address: string;
    startOver(): void;
}
