// Flip & Slide's part of the wire by short names.
import type { components } from "../../wire/schema";

type Schemas = components["schemas"];

export type View = Schemas["FlipAndSlideView"];
export type Tile = Schemas["FlipAndSlideTile"];
export type Jump = Schemas["FlipAndSlideJump"];
export type Last = Schemas["FlipAndSlideLast"];
