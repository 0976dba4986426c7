// Rainbow in words: what is asked, what happened, how it stands. Nothing tells a face that its viewer cannot see now.
import type { Context, PromptText, Moved, Result, Say } from "../../board/contract";
import { capital, who } from "../../board/text";
import { faceOf, swatch } from "../../pieces/faces";
import { END, kindOf, placesOf } from "./choices";
import { LONGEST_ROW, RULES, type RoundEvent } from "./scenes";
import type { Last, RowCard, View } from "./types";

/** A face as a word: "red", or "unseen". */
export function faceWord(face: string, say: Say): string {
    return say(faceOf(face) ? `face.${face}` : "face.hidden");
}

/** The row from left to right: "orange, light, green". */
export function rowWords(row: readonly RowCard[], say: Say): string {
    return row.map((card) => faceWord(card.face, say)).join(say("comma"));
}

/** What is asked of a seat, or what it waits for. */
export function prompt({ view, seat, say, names }: Context<View>): PromptText {
    if (view.turn === null) return { title: say("ask.over"), detail: say("ask.over.why") };
    const detail = rowLine(view.row, say);
    if (view.turn !== seat) {
        const name = names[view.turn] ?? "";
        const title = say(view.may_play ? "ask.other.play" : "ask.other.turn", { name });
        return { title, detail };
    }
    if (view.played > 0) {
        return view.may_play
            ? { title: say("ask.again"), detail: say("ask.again.why", { row: detail }) }
            : { title: say("ask.turn"), detail: say("ask.turn.why") };
    }
    if (view.may_turn_over) return { title: say("ask.first"), detail: say("ask.first.why", { row: detail }) };
    return view.row.length > 0
        ? { title: say("ask.now"), detail }
        : { title: say("ask.begin"), detail: say("ask.begin.why") };
}

function rowLine(row: readonly RowCard[], say: Say): string {
    return row.length > 0 ? say("row.line", { row: rowWords(row, say) }) : say("row.none");
}

/** The face that a move brought up, if its viewer still sees it in `now`. */
function stillSeen(last: Last, after: View, now: View): string | null {
    if (last.place === null || last.face === null) return null;
    const card = (last.round_end?.row ?? after.row)[last.place]?.card;
    const lies = [...now.row, ...(now.last?.round_end?.row ?? [])].find((other) => other.card === card);
    return lies && (lies.face === last.face || lies.under === last.face) ? last.face : null;
}

/** The log's line for the move that led to `after`, as far as its viewer sees it in `now`. */
export function logLine(
    _before: View | null,
    after: View,
    { names, say, view: now }: Context<View>,
): string | null {
    const last = after.last;
    if (!last) return null;
    const person = who(last.seat, after.viewer, names);
    if (last.move === END) return say("log.end", { ...person, count: last.drawn });
    const seen = stillSeen(last, after, now);
    const sentences = [moveLine(last.move, person, seen, say)];
    const over = last.round_end;
    if (over) {
        const taker = who(over.taker, after.viewer, names);
        const parameters = { ...person, place: (over.clashes_with ?? 0) + 1 };
        sentences.push(say(`log.${last.end}`, parameters));
        sentences.push(say("log.takes", { ...taker, count: over.row.length }));
    } else if (seen === "W") {
        sentences.push(say("log.light"));
    } else if (last.end === "turn") {
        sentences.push(say("log.end", { ...person, count: last.drawn }));
    }
    return sentences.join(" ");
}

/** The face that a move brought up, if it lies open now; found from the moves alone. */
function faceNow(move: Moved, { moves, view }: Context<View>): string | null {
    const row = view.last?.round_end?.row ?? view.row;
    const places = placesOf(moves, row.length);
    const at = moves.indexOf(move);
    const place = places[at] ?? null;
    if (place === null) return null;
    const turns = moves.filter(
        (one, i) => i > at && places[i] === place && kindOf(one.text) === "turned",
    ).length;
    const face = (turns % 2 === 0 ? row[place]?.face : row[place]?.under) ?? "";
    return faceOf(face) ? face : null;
}

/** A line for a move of which only its text is known. */
export function logLineFromText(move: Moved, context: Context<View>): string {
    const { names, say, seat } = context;
    const person = who(move.seat, seat, names);
    if (move.text === END) return say("log.brief.end", person);
    return moveLine(move.text, person, faceNow(move, context), say);
}

function moveLine(text: string, person: object, face: string | null, say: Say): string {
    const parameters = { ...person, number: Number(text.slice(1)) };
    if (face === null) return say(`log.brief.${kindOf(text)}`, parameters);
    return say(`log.${kindOf(text)}`, { ...parameters, face: swatch(face, say(`face.${face}`)) });
}

/** A move that was not made, in a few words. */
export function alternative(text: string, { say }: Context<View>): string {
    return say(`instead.${text[0]}`, { number: Number(text.slice(1)) });
}

/** A move as an instruction; it tells no face but those this seat sees. */
export function hintText(text: string, { view, seat, say }: Context<View>): string {
    if (text === END) return say("advice.end");
    const number = Number(text.slice(1));
    if (text[0] === "B") return say("advice.blind", { number });
    const card = text[0] === "F" ? view.row[number - 1] : view.hands[seat]?.[number - 1];
    return say(text[0] === "F" ? "advice.turn" : "advice.seen", {
        number,
        face: faceWord(card?.face ?? "", say),
    });
}

/** The position for a screen reader: the row, both hands, the deck and the piles. */
export function describePosition({ view, seat, names, say }: Context<View>): string {
    const { row } = view;
    const sentences = [
        row.length > 0
            ? say("aloud.row", { count: row.length, of: LONGEST_ROW, row: rowWords(row, say) })
            : say("row.none"),
    ];
    for (const at of seat === 1 ? [1, 0] : [0, 1]) {
        const cards = view.hands[at] ?? [];
        const faces = cards
            .map((card) => (card ? faceWord(card.face, say) : say("slot.empty")))
            .join(say("comma"));
        sentences.push(say("aloud.hand", { ...who(at, seat, names), faces }));
    }
    sentences.push(
        view.next === null
            ? say("deck.left", { count: view.deck })
            : say("deck.next", { count: view.deck, face: faceWord(view.next, say) }),
    );
    for (const at of [0, 1])
        sentences.push(say("aloud.pile", { ...who(at, seat, names), count: view.piles[at] ?? 0 }));
    return sentences.join(" ");
}

/** A round that ended: what came up and why that decided it, who takes what, and the rule it rests on. */
export function eventWords(
    event: RoundEvent,
    viewer: number,
    names: readonly string[],
    say: Say,
): { title: string; text: string; rule: string; score: string } {
    const face = faceWord(event.face, say);
    const doer = who(event.seat, viewer, names);
    const taker = who(event.taker, viewer, names);
    const text = [
        say(event.end === "rainbow" ? "event.made" : `event.ends.${kindOf(event.move)}`, doer),
        say("event.takes", { ...taker, count: event.count }),
        event.begins === null ? "" : say("event.begins", who(event.begins, viewer, names)),
    ].join(" ");
    return {
        title: say(`event.${event.end}`, { face: capital(face), same: face, ...doer }),
        text,
        rule: RULES[event.end],
        score: say("event.score", { ...taker, from: event.from, to: event.to }),
    };
}

/** Why the game ended. */
export function ending(result: Result, { say }: Context<View>): { text: string; rule?: string } {
    if (result.reason !== "deck") return { text: "" };
    const draw = result.winners.length === 0;
    return { text: say(draw ? "ending.draw" : "ending.deck"), rule: draw ? "RB-22" : "RB-21" };
}

/** What the log says above its lines: the round of the newest one. */
export function heading({ view, names, say }: Context<View>): PromptText {
    const over = view.last?.round_end;
    if (!over) return { title: say("chapter.round", { round: view.round }), detail: "" };
    const taker = who(over.taker, view.viewer, names);
    return {
        title: say("chapter.round", { round: view.round - 1 }),
        detail: say("log.takes", { ...taker, count: over.row.length }),
    };
}
