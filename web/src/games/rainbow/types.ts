// Rainbow's part of the wire by short names.
import type { components } from "../../wire/schema";

type Schemas = components["schemas"];

export type View = Schemas["RainbowView"];
export type Last = Schemas["RainbowLast"];
export type RowCard = Schemas["RainbowRowCard"];
export type HandCard = Schemas["RainbowHandCard"];
