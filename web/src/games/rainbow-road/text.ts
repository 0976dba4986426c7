// Rainbow Road in words: what is asked, what happened, how it stands. Hands and pranks only as their viewer sees them.
import type { Context, PromptText, Moved, Result, Say } from "../../board/contract";
import { who } from "../../board/text";
import { COLOURS, swatch } from "../../pieces/faces";
import { STOP, hopOf, marksOf, prankOf } from "./choices";
import { spotAt, HALF, RING } from "./geometry";
import type { Card, Fairy, Last, Prank, Spot, View } from "./types";

/** The face that bears a number: 1 red to 7 violet. */
export function faceFor(number: number): string {
    return COLOURS[number - 1] ?? "?";
}

/** A number in the log: a swatch, and the digit in bold. */
function mark(number: number): string {
    return swatch(faceFor(number), String(number));
}

/** A number to be heard: "six". */
export function numberWord(number: number, say: Say): string {
    return say(`number.${number}`);
}

export function fairyWord(fairy: Fairy, say: Say): string {
    return say(`fairy.${fairy}`);
}

/** Cards one after the other, to be heard. */
export function cardWords(cards: readonly Card[], say: Say): string {
    return cards.map(({ number }) => numberWord(number, say)).join(say("comma"));
}

export function prankWords(pranks: readonly Prank[], say: Say): string {
    return pranks.map((prank) => say(`prank.${prank}`)).join(say("comma"));
}

/** What is asked of a seat, or what it waits for. */
export function prompt({ view, seat, legal, say, names }: Context<View>): PromptText {
    if (view.turn === null || view.phase === "over")
        return { title: say("ask.over"), detail: say("ask.over.why") };
    if (view.turn !== seat) {
        const title = say(`ask.other.${view.phase}`, { name: names[view.turn] ?? "" });
        return { title, detail: weatherLine(view, say) };
    }
    return view.walk ? askWalk(view, legal, say) : askCard(view, seat, say, names);
}

function askCard(view: View, seat: number, say: Say, names: readonly string[]): PromptText {
    const theirs = playedBy(view, 1 - seat);
    const detail =
        theirs === null
            ? say(`ask.lead.${view.weather}`)
            : say("ask.follow", { name: names[1 - seat] ?? "", number: theirs });
    const [place] = view.places;
    if (place !== undefined && view.owed === place) {
        return { title: say("ask.play.owed", { spot: place }), detail: `${say("ask.lead.owed")} ${detail}` };
    }
    const full = view.ring.find(({ spot }) => spot === place)?.card != null;
    return { title: say(full ? "ask.play.replace" : "ask.play.empty"), detail };
}

function askWalk(view: View, legal: readonly string[], say: Say): PromptText {
    const { walk } = view;
    if (!walk) return { title: "", detail: "" };
    const way = walk.fairy === view.climbs ? "up" : "down";
    const stuck = legal.some(prankOf) ? "prank" : "none";
    const why = walk.reach.length > 0 ? way : walk.forced ? "forced" : stuck;
    const sentences = [say(`ask.reach.${why}`)];
    if (walk.points > 0) sentences.unshift(say("ask.so.far", { points: walk.points }));
    return { title: say(`ask.walk.${walk.fairy}.${way}`), detail: sentences.join(" ") };
}

/** The number that a seat played this round; null while it has not. */
export function playedBy(view: View, seat: number): number | null {
    return view.ring.find(({ marker }) => marker === seat)?.card?.number ?? null;
}

/** What playing a number of the hand would mean; "" for one that cannot be played now. */
export function explainNumber(
    { view, seat, names, say }: Pick<Context<View>, "view" | "seat" | "names" | "say">,
    number: number | null,
): string {
    const choice = view.choices.find((known) => known.number === number);
    if (!choice) return "";
    const key = choice.moves === null ? `hand.means.lead.${view.weather}` : `hand.means.${choice.moves}`;
    return say(key, { number: choice.number, name: names[1 - seat] ?? "" });
}

function weatherLine(view: View, say: Say): string {
    return `${say(`weather.now.${view.weather}`)} ${say(`weather.orders.${view.weather}`)}`;
}

/** What a seat does, in a few words, for its plate. */
export function plateLine(view: View, seat: number, say: Say): string {
    const { movers, walk } = view;
    const person = { who: seat === view.viewer ? "you" : "other" };
    if (movers) {
        const fairy: Fairy = movers.sunny === seat ? "sunny" : "rain";
        const name = fairyWord(fairy, say);
        if (walk?.seat === seat) return say("line.moves", { ...person, fairy: name });
        if (fairy === "rain") return say("line.later", { ...person, fairy: name });
        return say("line.moved", { fairy: name, points: view.gains[view.round - 1]?.[seat] ?? 0 });
    }
    if (view.turn === seat) return say("line.choose", person);
    const number = playedBy(view, seat);
    if (number !== null) return say("line.played", { number });
    return view.round > 1
        ? say("line.last", { points: view.gains[view.round - 2]?.[seat] ?? 0 })
        : counts(view, seat, say);
}

/** How many cards and pranks a seat holds. */
export function counts(view: View, seat: number, say: Say): string {
    return say("line.counts", {
        cards: view.hands[seat]?.count ?? 0,
        pranks: view.pranks[seat]?.count ?? 0,
    });
}

/** The log's line for the move that led to `after`: a walk is told when it ends. */
export function logLine(before: View | null, after: View, { names, say }: Context<View>): string | null {
    const { last } = after;
    if (!last) return null;
    const sentences = [describeMove(after, last, names, say)];
    if (last.movers) {
        const other = last.movers.rain === after.viewer ? say("log.you") : (names[last.movers.rain] ?? "");
        sentences.push(say("log.movers", { ...who(last.movers.sunny, after.viewer, names), other }));
    }
    if (last.ended) sentences.push(describeWalk(before, after, last, names, say));
    if (last.round_end) sentences.push(describeRound(after, last.round_end, names, say));
    return sentences.filter(Boolean).join(" ") || null;
}

function describeMove(after: View, last: Last, names: readonly string[], say: Say): string {
    const person = who(last.seat, after.viewer, names);
    const out = last.out ? mark(last.out.number) : "";
    const card = last.card ? mark(last.card.number) : "";
    const [from = "", second = ""] = last.spots;
    const to = last.spots.at(-1) ?? "";
    const prank = prankOf(last.move);
    if (prank)
        return say(`log.${prank}`, { ...person, from, over: second, to, out, card, points: last.points });
    if (last.move[0] === "P") {
        return say(out ? "log.replaced" : "log.played", { ...person, card, spot: from, out });
    }
    return "";
}

/** Where a fairy stands. */
export function standing(view: View, fairy: Fairy): string {
    return view.ring.find((spot) => spot.fairy === fairy)?.spot ?? "";
}

function describeWalk(
    before: View | null,
    after: View,
    last: Last,
    names: readonly string[],
    say: Say,
): string {
    const fairy = last.fairy ?? "sunny";
    const walk = before?.walk;
    const to = standing(after, fairy);
    const points = (walk?.points ?? 0) + last.points;
    const parameters = {
        ...who(last.seat, after.viewer, names),
        fairy: fairyWord(fairy, say),
        from: walk?.origin ?? "",
        to,
        points,
    };
    if (points === 0 || !walk) return say("log.stayed", parameters);
    return say(walk.origin === to ? "log.rounded" : "log.walked", parameters);
}

function describeRound(
    after: View,
    end: NonNullable<Last["round_end"]>,
    names: readonly string[],
    say: Say,
): string {
    const sentences = [say("log.round", { round: end.round, ...gains(end.gains, after.viewer, names, say) })];
    if (after.turn !== null) {
        const weather = say(`weather.turned.${after.weather}`);
        sentences.push(
            say("log.starts", { ...who(end.starter, after.viewer, names), weather, round: after.round }),
        );
    }
    return sentences.join(" ");
}

/** Both seats' points of a round, the viewer's first. */
export function gains(
    points: readonly number[],
    viewer: number,
    names: readonly string[],
    say: Say,
): { first: string; a: number; second: string; b: number } {
    const near = viewer === 1 ? 1 : 0;
    const named = (seat: number): string => (seat === viewer ? say("round.you") : (names[seat] ?? ""));
    return { first: named(near), a: points[near] ?? 0, second: named(1 - near), b: points[1 - near] ?? 0 };
}

/** A line for a move of which only its text is known; hops are part of a walk and not told alone. */
export function logLineFromText(move: Moved, { names, say, seat }: Context<View>): string {
    const person = who(move.seat, seat, names);
    const { text } = move;
    if (text[0] === "P")
        return say("log.played", { ...person, card: mark(Number(text[1])), spot: text.slice(2) });
    if (text === "stop") return say("log.brief.stop", person);
    const prank = prankOf(text);
    return prank ? say("log.brief.prank", { ...person, prank: say(`prank.${prank}`) }) : "";
}

/** A move as an instruction. */
export function hintText(text: string, { view, say }: Context<View>): string {
    if (text === STOP) return say("advice.stop");
    const prank = prankOf(text);
    const [first = "", second = ""] = marksOf(text, view.walk);
    if (prank) return say(`advice.${prank}`, { number: first.slice(1), from: first, to: second || first });
    if (text[0] !== "P") {
        const to = hopOf(text, view.walk)?.spot ?? "";
        return say("advice.hop", { fairy: fairyWord(view.walk?.fairy ?? "sunny", say), to });
    }
    const spot = text.slice(2);
    const over = view.ring.find((known) => known.spot === spot)?.card?.number;
    return say(over ? "advice.replace" : "advice.play", { number: text[1] ?? "", spot, over: over ?? 0 });
}

/** A spot to be heard: its card, who stands there, whose marker lies there. */
export function spotWords(
    { spot, card, fairy, marker }: Spot,
    viewer: number,
    names: readonly string[],
    say: Say,
): string {
    const sentences = [
        card ? say("spot.card", { spot, number: numberWord(card.number, say) }) : say("spot.empty", { spot }),
    ];
    if (fairy) sentences.push(say("spot.fairy", { fairy: fairyWord(fairy, say) }));
    if (marker !== null) sentences.push(say("spot.marker", who(marker, viewer, names)));
    return sentences.join(" ");
}

/** A hop, where one looks at every move: the log tells of the whole walk. */
export function briefLine(move: Moved, { names, say, seat }: Context<View>): string {
    return /^[+-]$/.test(move.text) ? say("brief.hop", who(move.seat, seat, names)) : "";
}

/** The position for a screen reader. */
export function describePosition({ view, seat, names, say }: Context<View>): string {
    const sentences = [say("chapter.round", { round: view.round }) + ".", weatherLine(view, say)];
    const near = seat === 1 ? 1 : 0;
    const around = Array.from({ length: RING }, (_, i) => spotAt(i, seat));
    const spots = around.flatMap((name) => view.ring.filter(({ spot }) => spot === name));
    const words = spots.map((spot) => spotWords(spot, seat, names, say));
    for (const [half, owner] of [near, 1 - near].entries()) {
        const heard = words.slice(half * HALF, (half + 1) * HALF).join(" ");
        sentences.push(say("aloud.half", { ...who(owner, seat, names), spots: heard }));
    }
    for (const at of [near, 1 - near]) {
        const { numbers = null, count = 0 } = view.hands[at] ?? {};
        const { held = null, count: pranks = 0 } = view.pranks[at] ?? {};
        if (numbers) {
            const cards = numbers.map((number) => numberWord(number, say)).join(say("comma"));
            sentences.push(cards ? say("aloud.hand", { cards }) : say("aloud.hand.none"));
            if (held?.length) sentences.push(say("aloud.pranks", { pranks: prankWords(held, say) }));
        } else sentences.push(say("theirs.label", { name: names[at] ?? "", cards: count, pranks }));
    }
    if (view.discards.length > 0)
        sentences.push(say("aloud.discards", { cards: cardWords(view.discards, say) }));
    for (const at of [near, 1 - near])
        sentences.push(say("aloud.score", { ...who(at, seat, names), points: view.scores[at] ?? 0 }));
    if (view.walk?.seat === seat && view.walk.reach.length > 0) {
        const spots = view.walk.reach
            .map(({ spot, points }) => say("aloud.reach.one", { spot, points }))
            .join(say("comma"));
        sentences.push(say("aloud.reach", { spots }));
    }
    return sentences.join(" ");
}

/** Why the game ended. */
export function ending(result: Result, { view, say }: Context<View>): { text: string; rule?: string } {
    const by = view.result?.decided_by;
    if (result.reason !== "rounds" || !by) return { text: "" };
    return { text: say(`ending.${by}`), rule: "RR-12" };
}

/** What the log says above its lines. */
export function heading({ view, names, say }: Context<View>): PromptText {
    const over = view.last?.round_end;
    const title = say("chapter.round", { round: over?.round ?? view.round });
    if (over)
        return {
            title,
            detail: say("log.round", { round: over.round, ...gains(over.gains, view.viewer, names, say) }),
        };
    const last = view.gains[view.round - 2];
    return {
        title,
        detail: last ? say("chapter.last", gains(last, view.viewer, names, say)) : "",
    };
}
