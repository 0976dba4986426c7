// Which of the moves listed as legal belong to which card, spot, discard and prank. No rules: only what is listed is read.
import type { Prank, Step, View, Walk } from "./types";

export const STOP = "stop";

/** What has been picked so far: a number of the hand, or a prank and some of its marks. */
export interface Picked {
    number: number | null;
    prank: Prank | null;
    marks: readonly string[]; // spots ("a3") and discards ("#7") that the prank is to be played with
}

export const NOTHING: Picked = { number: null, prank: null, marks: [] };

/** A spot that can be chosen now, and what for. */
export interface Target {
    kind: "play" | "walk" | "prank";
    points: number | null; // that it would bring
}

export const play = (number: number, spot: string): string => `P${number}${spot}`;
export const discard = (number: number): string => `#${number}`;

/** The numbers that may be played now. */
export function playable(legal: readonly string[]): ReadonlySet<number> {
    return new Set(legal.filter((text) => text[0] === "P").map((text) => Number(text[1])));
}

/** Where a number may be played. */
export function placesFor(legal: readonly string[], number: number): string[] {
    const start = `P${number}`;
    return legal.filter((text) => text.startsWith(start)).map((text) => text.slice(start.length));
}

/** The prank a move plays; null for any other move. */
export function prankOf(move: string): Prank | null {
    const name = /^(exchange|jump|skip|trash|teleport|recycle)[:+-]/.exec(move)?.[1];
    return (name as Prank | undefined) ?? null;
}

/** The pranks that may be played now. */
export function usable(legal: readonly string[]): ReadonlySet<Prank> {
    return new Set(legal.map(prankOf).filter((prank) => prank !== null));
}

/** What a prank's move is marked by: its spots, and the discard it brings back. */
export function marksOf(move: string, walk: Walk | null): string[] {
    const hop = walk?.prank_hops.find((known) => known.move === move);
    if (hop) return [hop.spot];
    const [, rest = ""] = move.split(":");
    const [number = "", spot] = rest.split(">");
    return spot === undefined ? rest.split(",") : [discard(Number(number)), spot];
}

/** Where one plain hop leads. */
export function hopOf(move: string, walk: Walk | null): Step | null {
    return walk?.reach.find(({ hops }) => hops.length === 1 && hops[0] === move) ?? null;
}

/** The spots and discards that a move is about. */
export function aboutOf(move: string, walk: Walk | null): string[] {
    if (move[0] === "P") return [move.slice(2)];
    if (prankOf(move)) return marksOf(move, walk);
    const hop = hopOf(move, walk);
    return hop ? [hop.spot] : [];
}

/** The moves of a prank that fit what is marked already. */
function fitting(view: View, legal: readonly string[], picked: Picked): { move: string; marks: string[] }[] {
    return legal
        .filter((move) => picked.prank !== null && prankOf(move) === picked.prank)
        .map((move) => ({ move, marks: marksOf(move, view.walk) }))
        .filter(({ marks }) => picked.marks.every((mark) => marks.includes(mark)));
}

/** Moves that a prank could be meant as with these marks, legal or not: the server says why one cannot be made. */
export function attempts(view: View, prank: Prank, marks: readonly string[]): string[] {
    if (prank === "jump" || prank === "skip") return [`${prank}+`, `${prank}-`];
    const spots = [...marks, ...view.ring.map(({ spot }) => spot)].filter((mark) => !mark.startsWith("#"));
    const [first = "a1"] = spots;
    const second = spots.find((spot) => spot !== first) ?? "";
    const number = marks.find((mark) => mark.startsWith("#"))?.slice(1) ?? view.discards[0]?.number ?? 1;
    if (prank === "recycle") return [`recycle:${number}>${first}`];
    return [`${prank}:${prank === "exchange" ? [first, second].sort().join(",") : first}`];
}

/** The move that a picked prank and its marks make; null while one is missing. */
export function completed(view: View, legal: readonly string[], picked: Picked): string | null {
    const made = fitting(view, legal, picked).find(({ marks }) => marks.length === picked.marks.length);
    return made?.move ?? null;
}

/** What can be marked next for a picked prank: spots and discards. */
export function open(view: View, legal: readonly string[], picked: Picked): ReadonlySet<string> {
    const marks = fitting(view, legal, picked).flatMap((move) => move.marks);
    return new Set(marks.filter((mark) => !picked.marks.includes(mark)));
}

/** The walk to a spot by plain hops; where both ways lead there, the one that brings more. */
export function stepTo(walk: Walk | null, spot: string): Step | null {
    const steps = (walk?.reach ?? []).filter((step) => step.spot === spot);
    return steps.reduce<Step | null>(
        (best, step) => (best && best.points >= step.points ? best : step),
        null,
    );
}

/** The walk that brings most. */
export function bestStep(walk: Walk | null): Step | null {
    return (walk?.reach ?? []).reduce<Step | null>(
        (best, step) => (best && best.points >= step.points ? best : step),
        null,
    );
}

/** The spots that can be chosen now. */
export function targets(view: View, legal: readonly string[], picked: Picked): ReadonlyMap<string, Target> {
    const chosen = new Map<string, Target>();
    if (legal.length === 0) return chosen;
    if (picked.number !== null) {
        for (const spot of placesFor(legal, picked.number)) chosen.set(spot, { kind: "play", points: null });
    } else if (picked.prank !== null) {
        const hops = view.walk?.prank_hops.filter((hop) => prankOf(hop.move) === picked.prank) ?? [];
        for (const mark of open(view, legal, picked)) {
            const points = hops.find((hop) => hop.spot === mark)?.points ?? null;
            if (!mark.startsWith("#")) chosen.set(mark, { kind: "prank", points });
        }
    } else {
        for (const { spot, hops } of view.walk?.reach ?? []) {
            if (!legal.includes(hops[0] ?? "")) continue;
            chosen.set(spot, { kind: "walk", points: stepTo(view.walk, spot)?.points ?? null });
        }
    }
    return chosen;
}
