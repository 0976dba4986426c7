// The texts of Nimble.
import type { Context, Moved, PromptText, Result, Say } from "../../board/contract";
import { who } from "../../board/text";
import { secondComers } from "./statistics";
import type { Card, View } from "./types";

/** A book by its letter: "Alice". */
export function book(letter: string, say: Say): string {
    return say(`book.${letter}`);
}

/** A card by the letters of its frame and circle: players call it by its frame. */
export function cardName(code: string, say: Say): string {
    return book(code.charAt(0), say);
}

/** A card for a screen reader: its frame, and the frame it wants on top of it. */
export function cardText(card: Card | null, say: Say): string {
    if (!card) return say("card.coming");
    return say("card", { frame: book(card.frame, say), circle: book(card.circle, say) });
}

/** Minutes and seconds of a race. */
export function clock(milliseconds: number): string {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The seat to call "you"; none where several play on one device. */
function you({ seat, shared }: Context<View>): number {
    return shared ? -1 : seat;
}

/** What to do: the same for everybody, and never which card goes where. */
export function prompt({ view, seat, say }: Context<View>): PromptText {
    if (view.result) return { title: say("ask.over"), detail: say("ask.over.why") };
    if (seat < 0) return { title: say("ask.watch"), detail: say("ask.watch.why") };
    return {
        title: say("ask.race"),
        detail: say(view.checking === "audit" ? "ask.audit.why" : "ask.race.why"),
    };
}

/** The log's line for a move; flips and cards taken back are left out. */
export function logLine(before: View | null, after: View, context: Context<View>): string | null {
    const { names, say } = context;
    const last = after.last;
    if (!last) return null;
    const me = you(context);
    const person = who(last.seat, me, names);
    if (last.move === "t") return say("log.over", person);
    if (last.stack === null || !last.card) return null;
    const placed = { ...person, book: book(last.card.frame, say), stack: last.stack };
    const loser = secondComers(before, after)[0];
    if (loser === undefined) return say("log.placed", placed);
    const other = who(loser, me, names);
    return say("log.first", { ...placed, loser: other.who, loserName: other.name });
}

/** A line for a move of which only its text is known. */
export function logLineFromText(move: Moved, context: Context<View>): string {
    const { names, say } = context;
    const person = who(move.seat, you(context), names);
    if (move.text === "t") return say("log.over", person);
    return move.text[0] === "p" ? say("brief.placed", { ...person, stack: Number(move.text[1]) }) : "";
}

/** A flip or a card taken back, for a replay. */
export function briefLine(move: Moved, context: Context<View>): string {
    const { names, say } = context;
    const key = { f: "brief.flip", b: "brief.back" }[move.text];
    return key ? say(key, who(move.seat, you(context), names)) : "";
}

/** A hinted move as an instruction. It says so where a card no longer fits. */
export function hintText(text: string, { view, seat, say }: Context<View>): string {
    if (text[0] !== "p") return say(`advice.${text}`);
    const stack = Number(text[1]);
    const card = view.players[seat]?.top ?? null;
    const fits = card !== null && view.stacks[stack - 1]?.top.circle === card.frame;
    return say(fits ? "advice.p" : "advice.p.not", { book: card ? book(card.frame, say) : "", stack });
}

/** The position for a screen reader. */
export function describePosition({ view, seat, names, say }: Context<View>): string {
    const [one, two, three] = view.stacks.map(({ top }) => book(top.circle, say));
    const parts = [say("aloud.stacks", { one: one ?? "", two: two ?? "", three: three ?? "" })];
    const mine = view.players[seat];
    if (mine) {
        parts.push(mine.top ? say("aloud.pile", { card: cardText(mine.top, say) }) : say("aloud.pile.none"));
        parts.push(say("aloud.counts", { set: mine.set, pile: mine.pile }));
    }
    view.players.forEach(({ left }, other) => {
        if (other !== seat) parts.push(say("aloud.other", { name: names[other] ?? "", left }));
    });
    return parts.join(" ");
}

/** Why the game ended. */
export function ending(result: Result, context: Context<View>): { text: string; rule?: string } {
    const { view, names, say } = context;
    const over = view.result;
    if (!over || over.reason !== result.reason) return { text: "" };
    const out = view.players.findIndex(({ left }) => left <= view.goal);
    const text = [
        over.reason === "out"
            ? say("ending.out", {
                  ...who(out, you(context), names),
                  goal: view.players[out]?.left ?? view.goal,
              })
            : say("ending.stalemate"),
    ];
    let rule = over.reason === "out" ? "NB-12" : "NB-14";
    if (over.disqualified.length > 0) {
        const struck = over.disqualified.map((seat) => names[seat] ?? "").join(say("comma"));
        text.push(over.winners.length > 0 ? say("ending.struck", { names: struck }) : say("ending.nobody"));
        rule = over.winners.length > 0 ? "NB-16" : "NB-17";
    }
    return { text: text.join(" "), rule };
}

/** The heading of the log. */
export function heading({ view, say }: Context<View>): PromptText {
    return { title: say("chapter.race"), detail: say(view.goal > 0 ? "ask.goal.one" : "ask.goal.none") };
}
