// Rainbow Road's part of the wire by short names.
import type { components } from "../../wire/schema";

type Schemas = components["schemas"];

export type View = Schemas["RainbowRoadView"];
export type Last = Schemas["RainbowRoadLast"];
export type Spot = Schemas["RainbowRoadSpot"];
export type Card = Schemas["RainbowRoadCard"];
export type Walk = Schemas["RainbowRoadWalk"];
export type Step = Schemas["RainbowRoadStep"];
export type Fairy = View["climbs"];
export type Weather = View["weather"];
export type Prank = Schemas["RainbowRoadPranks"]["used"][number];
