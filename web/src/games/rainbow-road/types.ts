// Rainbow Road's part of the wire by short names, and what the road's components get.
import type { Say } from "../../board/contract";
import type { components } from "../../wire/schema";
import type { Road } from "./geometry";
import type { Selection } from "./selection.svelte";

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

export interface RoadProps {
    view: View;
    seat: number;
    names: readonly string[];
    road: Road;
    say: Say;
    selection: Selection;
}
