// Nimble in words: what is asked, what happened, how it stands and how it ended.
import type { Context, PromptText, Moved, Result } from "../../board/contract";
import { ledger } from "./ledger.svelte";
import { racing } from "./tally";
import type { View } from "./types";
import { book, cardWords, who } from "./words";

/** What is asked: the same of everybody, and never which card goes where. */
export function prompt({ view, seat, say }: Context<View>): PromptText {
    if (view.result) return { title: say("ask.over"), detail: say("ask.over.why") };
    if (seat < 0) return { title: say("ask.watch"), detail: say("ask.watch.why") };
    return {
        title: say("ask.race"),
        detail: say(view.checking === "audit" ? "ask.audit.why" : "ask.race.why"),
    };
}

/** The log's line for a move; flips and cards taken back are too many to tell. */
export function logLine(before: View | null, after: View, { names, say }: Context<View>): string | null {
    const last = after.last;
    if (!last) return null;
    const me = ledger.me(after.viewer);
    const person = who(last.seat, me, names);
    if (last.move === "t") return say("story.over", person);
    if (last.stack === null || !last.card) return null;
    const told = { ...person, book: book(last.card.frame, say), stack: last.stack };
    const loser = racing(before, after)[0];
    if (loser === undefined) return say("story.placed", told);
    const other = who(loser, me, names);
    return say("story.first", { ...told, loser: other.who, loserName: other.name });
}

/** A line for a move of which only its text is known. */
export function logLineFromText(move: Moved, { names, say, seat }: Context<View>): string {
    return move.text === "t" ? say("story.over", who(move.seat, ledger.me(seat), names)) : "";
}

/** A flip or a card taken back, where one looks at every move. */
export function briefLine(move: Moved, { names, say, seat }: Context<View>): string {
    const key = { f: "brief.flip", b: "brief.back" }[move.text];
    return key ? say(key, who(move.seat, ledger.me(seat), names)) : "";
}

/** A move as an instruction: asked for, this table hints after all. It says so where a card would no longer fit. */
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
    const told = [say("aloud.stacks", { one: one ?? "", two: two ?? "", three: three ?? "" })];
    const mine = view.players[seat];
    if (mine) {
        told.push(mine.top ? say("aloud.pile", { card: cardWords(mine.top, say) }) : say("aloud.pile.none"));
        told.push(say("aloud.counts", { set: mine.set, pile: mine.pile }));
    }
    view.players.forEach(({ left }, other) => {
        if (other !== seat) told.push(say("aloud.other", { name: names[other] ?? "", left }));
    });
    return told.join(" ");
}

/** Why the game ended. */
export function ending(result: Result, { view, names, say }: Context<View>): { text: string; rule?: string } {
    const over = view.result;
    if (!over || over.reason !== result.reason) return { text: "" };
    const out = view.players.findIndex(({ left }) => left <= view.goal);
    const text = [
        over.reason === "out"
            ? say("ending.out", {
                  ...who(out, view.viewer, names),
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

/** What the log says above its lines. */
export function heading({ view, say }: Context<View>): PromptText {
    return { title: say("chapter.race"), detail: say(view.goal > 0 ? "ask.goal.one" : "ask.goal.none") };
}
