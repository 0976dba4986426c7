// Nimble's part of the wire by short names.
import type { components } from "../../wire/schema";

type Schemas = components["schemas"];

export type View = Schemas["NimbleView"];
export type Card = Schemas["NimbleCard"];
export type Mistake = Schemas["NimbleMistake"];
