// What is heard at a table: whose turn it is, each move, refusals and the connection, in words and in sounds.
import { untrack } from "svelte";
import { sentences } from "../../client/announcer.svelte";
import type { PromptText } from "../../board/contract";
import { say } from "../../i18n/messages.svelte";
import type { TableSession } from "./table-session.svelte";
import { plain } from "../../board/markup";

const MOST_AT_ONCE = 8;

/** Speaks for a table while its page is open. In a race the board speaks for itself: it knows what can wait. */
export function announceTable(session: TableSession): void {
    const { live } = session;
    const { announcer, sounds } = session.client;

    // First of all: what was said of an earlier position goes with it, and with the eyes that saw it.
    const shown = $derived(live.shown?.ply);
    $effect(() => {
        void [shown, session.curtainFor, session.seat];
        announcer.forget();
    });
    $effect(() => () => announcer.forget());

    const speaks = $derived(
        session.module !== undefined &&
            session.curtainFor === null &&
            live.state === "open" &&
            !session.simultaneous,
    );
    const calls = $derived(session.myTurn && speaks);
    const calling = $derived(calls ? call(session.promptText) : "");
    $effect(() => {
        if (calling && !live.queued) announcer.now(calling);
    });
    // Whoever comes while others act is told what goes on.
    const waits = $derived(speaks && live.shown !== null && !calls && !session.result);
    let came = false;
    $effect(() => {
        if (waits && !came) untrack(() => announcer.move(sentences(session.title, session.promptText.title)));
        came ||= speaks && live.shown !== null;
    });
    let wasCalled = false;
    $effect(() => {
        if (calls && !wasCalled) untrack(() => sounds.play("turn"));
        wasCalled = calls;
    });

    const newest = $derived(live.shown ? (session.log[0]?.ply ?? 0) : -1);
    let heard = -1;
    $effect(() => {
        const ply = newest;
        untrack(() => {
            // Where several moves come at once, on a busy device or after a lost line, the newest are all told.
            const lines = session.log
                .filter((line) => line.ply > heard)
                .slice(0, MOST_AT_ONCE)
                .reverse();
            if (heard >= 0 && lines.length > 0 && session.curtainFor === null && !session.simultaneous) {
                announcer.move(lines.map(({ text }) => plain(text)).join(" "));
                if (!session.module?.ownSounds) sounds.play("land");
            }
            heard = Math.max(heard, ply); // while other eyes are being opened there is no story
        });
    });

    $effect(() => {
        if (live.refused) announcer.now(session.refusalText(live.refused));
    });
    $effect(() => {
        if (live.trouble) announcer.now(session.refusalText(live.trouble));
    });
    $effect(() => {
        if (live.state === "lost") announcer.now(say("connection.lost"));
        else if (live.state === "open" && live.everLost) announcer.now(say("connection.back"));
    });

    const won = $derived(
        session.standing.result?.winners.some((seat) => session.mine.includes(seat)) ?? false,
    );
    let before: boolean | null = null;
    $effect(() => {
        if (won && before === false) untrack(() => sounds.play("rainbow"));
        if (live.shown) before = won;
    });
}

/** That it is your turn, said once, and what is asked. */
function call({ title, detail }: PromptText): string {
    const yours = say("turn.yours");
    return sentences(title.startsWith(yours) ? "" : yours, title, detail);
}
