// What is heard at a table: whose turn it is, each move, refusals and the connection, in words and in sounds.
import { untrack } from "svelte";
import { announce } from "../announce.svelte";
import type { Asked } from "../game";
import { say } from "../say.svelte";
import { play } from "../sound";
import type { Sitting } from "./sitting.svelte";
import { plain } from "./told";

const MOST_AT_ONCE = 8;

/** Speaks for a table while its page is open. In a race the board speaks for itself: it knows what can wait. */
export function hear(sitting: Sitting): void {
    const { live } = sitting;

    // First of all: what was said of an earlier position goes with it, and with the eyes that saw it.
    const shown = $derived(live.shown?.ply);
    $effect(() => {
        void [shown, sitting.curtainFor, sitting.seat];
        announce.forget();
    });
    $effect(() => () => announce.forget());

    const speaks = $derived(
        sitting.module !== undefined &&
            sitting.curtainFor === null &&
            live.state === "open" &&
            !sitting.atOnce,
    );
    const calls = $derived(sitting.myTurn && speaks);
    const calling = $derived(calls ? call(sitting.asked) : "");
    $effect(() => {
        if (calling && !live.queued) announce.now(calling);
    });
    // Whoever comes while others act is told what goes on.
    const waits = $derived(speaks && live.shown !== null && !calls && !sitting.result);
    let came = false;
    $effect(() => {
        if (waits && !came) untrack(() => announce.move(sentences(sitting.title, sitting.asked.title)));
        came ||= speaks && live.shown !== null;
    });
    let wasCalled = false;
    $effect(() => {
        if (calls && !wasCalled) untrack(() => play("turn"));
        wasCalled = calls;
    });

    const newest = $derived(live.shown ? (sitting.story[0]?.ply ?? 0) : -1);
    let heard = -1;
    $effect(() => {
        const ply = newest;
        untrack(() => {
            // Where several moves come at once, on a busy device or after a lost line, the newest are all told.
            const lines = sitting.story
                .filter((line) => line.ply > heard)
                .slice(0, MOST_AT_ONCE)
                .reverse();
            if (heard >= 0 && lines.length > 0 && sitting.curtainFor === null && !sitting.atOnce) {
                announce.move(lines.map(({ text }) => plain(text)).join(" "));
                if (!sitting.module?.sounds) play("land");
            }
            heard = Math.max(heard, ply); // while other eyes are being opened there is no story
        });
    });

    $effect(() => {
        if (live.refused) announce.now(sitting.refusal(live.refused));
    });
    $effect(() => {
        if (live.trouble) announce.now(sitting.refusal(live.trouble));
    });
    $effect(() => {
        if (live.state === "lost") announce.now(say("line.lost"));
        else if (live.state === "open" && live.everLost) announce.now(say("line.back"));
    });

    const won = $derived(
        sitting.standing.result?.winners.some((seat) => sitting.mine.includes(seat)) ?? false,
    );
    let before: boolean | null = null;
    $effect(() => {
        if (won && before === false) untrack(() => play("rainbow"));
        if (live.shown) before = won;
    });
}

/** That it is your turn, said once, and what is asked. */
function call({ title, detail }: Asked): string {
    const yours = say("turn.yours");
    return sentences(title.startsWith(yours) ? "" : yours, title, detail);
}

function sentences(...parts: string[]): string {
    return parts
        .filter(Boolean)
        .map((part) => (/[.!?。！？:]$/.test(part) ? part : `${part}.`))
        .join(" ");
}
