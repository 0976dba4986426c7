// Phrases of the players of a table: each phrase is shown for a while, unless its player is muted.
import type { Phrase, Said } from "../../wire/types";
import { isOnDevice } from "../../client/on-device";
import type { TableSession } from "./table-session.svelte";

const SHOWN = 5000; // ms

export const PHRASES = [
    "hello",
    "good-luck",
    "well-played",
    "good-game",
    "thanks",
    "one-moment",
    "back",
    "sorry",
    "close-one",
] as const satisfies readonly Phrase[];
/** Phrases that are shown as an icon. */
export const REACTIONS = ["smile", "applause", "wow", "thinking"] as const satisfies readonly Phrase[];
export type Reaction = (typeof REACTIONS)[number];

export const isReaction = (phrase: Phrase): phrase is Reaction =>
    (REACTIONS as readonly Phrase[]).includes(phrase);

export interface Bubble {
    key: number;
    seat: number;
    phrase: Phrase;
}

export class Phrases {
    choosing = $state(false); // the sheet with the phrases is open
    #heard = $state.raw<readonly Bubble[]>([]);
    #count = 0;

    constructor(readonly session: TableSession) {}

    /** The last phrase of each player who said something a moment ago. */
    shown = $derived.by(() => this.#heard.filter(({ seat }) => !this.#isMuted(seat)));

    /** The seats of people on other devices. */
    others = $derived.by((): readonly number[] => {
        const { seatInfos, mine } = this.session;
        return seatInfos.flatMap(({ kind }, seat) =>
            kind === "person" && !mine.includes(seat) ? [seat] : [],
        );
    });

    /** Whether the user can say something, and somebody else can hear it. */
    offered = $derived.by(
        () => this.session.mine.length > 0 && this.others.length > 0 && !isOnDevice(this.session.id),
    );

    /** The seat whose player looks. */
    get speaker(): number {
        const { mine, seat } = this.session;
        return mine.includes(seat) ? seat : (mine[0] ?? -1);
    }

    say(phrase: Phrase, seat = this.speaker): void {
        this.session.live.say(seat, phrase);
    }

    hear({ seat, phrase }: Said): void {
        const key = ++this.#count;
        this.#heard = [...this.#heard.filter((one) => one.seat !== seat), { key, seat, phrase }];
        setTimeout(() => (this.#heard = this.#heard.filter((one) => one.key !== key)), SHOWN);
    }

    #isMuted(seat: number): boolean {
        const { client, mine, table } = this.session;
        if (mine.includes(seat)) return false;
        return client.settings.choices.mute || (table !== null && client.mutedPlayers.has(table, seat));
    }
}
