// A race on one device: what its players do is shown at once; what the server shows is what counts.
import { untrack } from "svelte";
import type { BoardProps, Moved, Refusal } from "../../board/contract";
import { isShortcut } from "../../board/keys";
import { who } from "../../board/text";
import { RING } from "../../pieces/motion";
import { Announcements } from "./announcements";
import { Flights, zonesOf } from "./animation";
import { placeOn, stackOf, type Move } from "./choices";
import { moveOfKey } from "./keys";
import type { Preferences } from "./preferences.svelte";
import { type Loss, Race } from "./race";
import type { Scene } from "./scene";
import { type Contest, secondComers } from "./statistics";
import { Timer } from "./timer.svelte";
import type { View } from "./types";

const FLAG_MS = 900;
const NOTICE_MS = 2400; // a flag or a line that explains a rule

/** A small flag at a stack: why a card came back. */
export interface Flag {
    id: number;
    text(): string; // in the language of now
    rule: string | null;
}

export class RaceControl {
    readonly mine: readonly number[]; // the seats that play on this device
    readonly timer = new Timer();
    readonly flights = new Flights(() => this.board.settings.still);
    scene = $state.raw<Scene>({ stacks: [], hands: [] });
    flags = $state.raw<readonly (Flag | null)[]>([null, null, null]); // by stack
    changed = $state.raw<ReadonlySet<string>>(new Set()); // zones to ring, where nothing moves
    refusal = $state.raw<Refusal | null>(null); // why a press did nothing
    spoken = $state("");
    contests = $state.raw<readonly Contest[]>([]);
    complete = $state(true); // every move was seen as it was made
    #race: Race;
    #announcements: Announcements;
    #seen: View | null = null;
    #ply = 0;
    #flagCount = 0;
    #counted = 0;
    #asking = false;
    #zones = new Map<string, string>();
    #timers = new Set<ReturnType<typeof setTimeout>>();

    /** The props of the board are read as they are then, not as they are now. */
    constructor(
        readonly board: BoardProps<View>,
        readonly preferences: Preferences,
    ) {
        this.mine = (board.views ?? [board]).map(({ seat }) => seat).filter((seat) => seat >= 0);
        this.#race = new Race(this.mine, {
            send: (text, seat) => board.send(text, seat),
            changed: (scene) => (this.scene = scene),
            lost: (loss) => this.#lose(loss),
        });
        this.#announcements = new Announcements(
            (key, parameters) => board.say(key, parameters),
            (text) => (this.spoken = text),
            () => preferences.now.slow,
        );
    }

    get readOnly(): boolean {
        return this.board.readOnly ?? false;
    }
    get over(): boolean {
        return this.board.view.result !== null || this.board.result !== null;
    }
    get running(): boolean {
        return !this.over && this.timer.count === 0 && !this.readOnly;
    }

    end(): void {
        for (const timer of this.#timers) clearTimeout(timer);
        this.#announcements.end();
        this.timer.end();
    }

    // -- What the server shows

    /** Take in the position. */
    see(): void {
        const { view, moves } = this.board;
        untrack(() => {
            this.#countContests(view, moves);
            this.#race.see(view, moves);
            this.timer.see(this.board.startsAt, moves, this.readOnly || this.over);
            const before = this.#seen;
            this.#seen = view;
            if (this.readOnly) this.#announcements.end();
            else if (before === null) this.#announcements.start(view);
            else this.#announcements.see(before, view, this.mine, this.board.names);
            const { last } = view;
            if (
                before &&
                last &&
                last !== before.last &&
                last.stack !== null &&
                !this.mine.includes(last.seat)
            )
                this.board.sound("place", last.stack - 1);
        });
    }

    /** Follow the connection. */
    connect(): void {
        const offline = this.board.seats.some(({ presence }) => presence === "lost");
        untrack(() => (this.#race.cut = offline));
    }

    announceCountdown(): void {
        const { count } = this.timer;
        const changed = count !== this.#counted;
        this.#counted = count;
        if (changed && this.mine.length > 0 && !this.readOnly)
            untrack(() => this.#announcements.count(count, this.board.view));
    }

    /** Remember where every card is drawn. Where nothing moves, ring the places of a change for a while. */
    settle(): void {
        const zones = zonesOf(this.scene, this.mine);
        const before = this.#zones;
        this.#zones = zones;
        this.flights.settle(zones);
        const changed = [...zones].filter(([key, zone]) => before.get(key) !== zone).map(([, zone]) => zone);
        if (!this.board.settings.still || before.size === 0 || changed.length === 0) return;
        const places = new Set(changed);
        this.changed = places;
        this.#later(RING, () => {
            if (this.changed === places) this.changed = new Set();
        });
    }

    #countContests(view: View, moves: readonly Moved[]): void {
        const steps = moves.length - this.#ply;
        const last = moves.at(-1);
        if (this.#seen && steps === 1 && last) {
            const losers = secondComers(this.#seen, view);
            if (losers.length > 0)
                this.contests = [...this.contests, { at: last.at ?? 0, winner: last.seat, losers }];
        } else if (steps !== 0) {
            // Moves were missed, or the position is an earlier one.
            if (steps < 0) this.contests = [];
            this.complete = moves.length === 0;
        }
        this.#ply = moves.length;
    }

    // -- What the players do

    act(seat: number, move: Move): void {
        if (!this.running) return;
        this.refusal = null;
        if (!this.#race.act(seat, move)) {
            this.flights.shake(`${move === "f" || move === "t" ? "set" : "pile"}-${seat}`);
            void this.#askWhy(seat, move);
            return;
        }
        const stack = stackOf(move);
        if (stack === null) this.board.sound("flip");
        else this.board.sound("place", stack);
    }

    /** Press a stack. Where several share the device, each presses the part of it that is nearest to them. */
    place(stack: number, at: PointerEvent | null, sideBySide: boolean): void {
        const seat = this.mine[at && this.mine.length > 1 ? this.#nearest(at, sideBySide) : 0];
        if (seat !== undefined) this.act(seat, placeOn(stack - 1));
    }

    /** A running race takes its own keys, whatever has the focus. */
    key(event: KeyboardEvent): void {
        if (!this.running || !this.board.settings.keys || !isShortcut(event)) return;
        const pressed = moveOfKey(event.key, event.code, this.mine.length);
        const seat = this.mine[pressed?.player ?? -1];
        if (!pressed || seat === undefined) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (!event.repeat) this.act(seat, pressed.move);
    }

    #nearest(at: PointerEvent, sideBySide: boolean): number {
        const { left, top, width, height } = (at.currentTarget as HTMLElement).getBoundingClientRect();
        const players = this.mine.length;
        if (sideBySide) return Math.min(players - 1, Math.floor(((at.clientX - left) / width) * players));
        const far = at.clientY < top + height / 2 ? 1 : 0;
        return far + (at.clientX > left + width / 2 && far + 2 < players ? 2 : 0);
    }

    /** Let the server say why nothing can be done, unless moves are under way that would change the answer. */
    async #askWhy(seat: number, move: Move): Promise<void> {
        if (this.#asking || this.#race.waiting > 0 || !this.#race.connected) return;
        this.#asking = true;
        const seen = this.scene.stacks[stackOf(move) ?? -1]?.height;
        const answer = await this.board.send(seen === undefined ? move : `${move}/${seen}`, seat);
        this.#asking = false;
        if (answer.done) return;
        this.#explain(answer.refusal);
    }

    /** Say how the card on a pile is used: a tap alone might take it back by mistake. */
    explainPile(): void {
        if (!this.running) return;
        const text = this.board.say("pile.tapped");
        this.#explain({ key: "", text, parameters: {}, rule: null, move: null });
    }

    #explain(refusal: Refusal): void {
        this.refusal = refusal;
        this.#later(NOTICE_MS, () => {
            if (this.refusal === refusal) this.refusal = null;
        });
    }

    #lose(loss: Loss): void {
        const { names } = this.board;
        const text = (): string => {
            const { say } = this.board;
            if (loss.by !== null) return say("flag.late", who(loss.by, loss.seat, names));
            return say(loss.refusal?.key === "does-not-fit" ? "flag.no" : "flag.back");
        };
        const rule = loss.by === null ? (loss.refusal?.rule ?? null) : null;
        const flag = { id: ++this.#flagCount, text, rule };
        this.flags = this.flags.map((other, at) => (at === loss.stack ? flag : other));
        this.#later(rule ? NOTICE_MS : FLAG_MS, () => {
            this.flags = this.flags.map((other) => (other === flag ? null : other));
        });
        this.#announcements.lost(loss, names);
        this.board.sound("late");
    }

    #later(milliseconds: number, run: () => void): void {
        const timer = setTimeout(() => {
            this.#timers.delete(timer);
            run();
        }, milliseconds);
        this.#timers.add(timer);
    }
}
