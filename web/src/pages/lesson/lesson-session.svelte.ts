// A lesson: the step, what it asks for, and the position. The server judges an attempt; its frames are shown one by one.
import { untrack } from "svelte";
import type { Answer, BoardView, Refusal } from "../../board/contract";
import { api } from "../../client/api";
import type { Client } from "../../client/context";
import { refusalText } from "../../client/refusal-text";
import { storedLearnt, storeLearnt } from "../../client/storage";
import { language, say } from "../../i18n/messages.svelte";
import { StageSession } from "../../stage/stage-session.svelte";
import type { Lesson, LessonAnswer, LessonFrame, LessonStep, LessonTurn, Moved } from "../../wire/types";

const HOLD = 320;
const LOOK = 1000; // ms that a move of the others is looked at, at least

/** What was answered to the last try; `rule` is the one that refused it. */
export interface Said {
    kind: "right" | "wrong" | "refused";
    text: string;
    rule: string | null;
}

/** Something is asked, a try is being judged and shown, a wrong one lies there to be looked at, or the step is done. */
export type Phase = "asked" | "shown" | "wrong" | "done";

export class LessonSession extends StageSession {
    lesson = $state.raw<Lesson | null>(null);
    trouble = $state.raw<unknown>(null);
    at = $state(0); // the step; as many as there are once all is done
    turnIndex = $state(0);
    readonly readOnly = false;
    readonly offline = false;
    readonly puzzle = null;
    readonly startsAt = null;
    phase = $state<Phase>("asked");
    said = $state.raw<Said | null>(null);
    refused = $state.raw<Refusal | null>(null);
    helped = $state(false); // the help of the step is shown
    learnt = $state.raw<readonly string[]>([]);
    /** What is shown, and what was shown before where the change can be animated. */
    shown = $state.raw<{ frame: LessonFrame; before: LessonFrame | null } | null>(null);
    #moves = $state.raw<readonly Moved[]>([]);
    #pointed = $state(false); // the right move is marked

    #tried: string[] = []; // right so far in this step
    #asked: LessonAnswer | null = null; // where the turn that is asked begins
    #right = $state<string | null>(null);
    #queue: LessonFrame[] = [];
    #conclude: (() => void) | null = null;
    #timer: number | undefined;

    constructor(
        client: Client,
        readonly gameId: string,
    ) {
        super(client);
        if (!client.app.game(gameId)?.lesson) return;
        this.learnt = storedLearnt(gameId);
        void this.load(gameId);
        $effect(() => {
            const tag = language();
            api.lesson(gameId, tag).then(
                (lesson) => untrack(() => this.#open(lesson)),
                (error: unknown) => (this.trouble = error),
            );
        });
        $effect(() => {
            if (this.lesson && this.module !== undefined) void [this.at, this.module];
            else return;
            untrack(() => void this.begin());
        });
        $effect(() => () => clearTimeout(this.#timer));
    }

    /** Told anew in another language, a lesson goes on where it was. */
    #open(lesson: Lesson): void {
        if (!this.lesson) {
            const first = lesson.steps.findIndex(({ id }) => !this.learnt.includes(id));
            this.at = Math.max(first, 0);
        }
        this.said = null;
        this.lesson = lesson;
    }

    // -- The lesson

    steps: readonly LessonStep[] = $derived(this.lesson?.steps ?? []);
    step: LessonStep | null = $derived(this.steps[this.at] ?? null);
    asks: LessonTurn | null = $derived(this.step?.turns[this.turnIndex] ?? null);
    finished = $derived(this.steps.length > 0 && this.at >= this.steps.length);

    get options() {
        return this.step?.options ?? {};
    }

    /** Which of its kind a step is, and of how many. */
    count(step: LessonStep): { number: number; of: number } {
        const alike = this.steps.filter(({ kind }) => (kind === "step") === (step.kind === "step"));
        return { number: alike.indexOf(step) + 1, of: alike.length };
    }

    // -- The position

    get seat(): number {
        return this.step?.seat ?? 0;
    }
    get mine(): readonly number[] {
        return [this.seat];
    }
    get seatInfos() {
        return this.names.map(() => ({ kind: "person" as const, connected: true }));
    }
    get result() {
        return this.shown?.frame.result ?? null;
    }
    get standing() {
        return { scores: this.shown?.frame.scores ?? [], result: this.result };
    }
    get turn(): readonly number[] {
        return this.result ? [] : (this.shown?.frame.turn ?? []);
    }
    view: unknown = $derived(this.shown?.frame.view ?? null);
    before: unknown = $derived(this.shown?.before?.view ?? null);
    drawn = $derived(this.shown?.frame.text ?? null);
    moves = $derived.by(() => this.#moves.slice(0, this.shown?.frame.ply ?? 0));
    legal = $derived.by((): readonly string[] =>
        this.phase === "asked" && this.asks ? (this.shown?.frame.legal ?? []) : [],
    );
    views: readonly BoardView<unknown>[] = $derived([
        { seat: this.seat, view: this.view, legal: this.legal },
    ]);
    names = $derived.by((): readonly string[] => {
        const others = [...(this.lesson?.names ?? [])];
        return (this.shown?.frame.scores ?? []).map((_, seat) =>
            seat === this.seat ? (this.client.app.me?.name ?? say("you")) : (others.shift() ?? ""),
        );
    });
    /** The right move, where the board marks it. */
    hinted = $derived.by((): string | null =>
        this.phase === "asked" && (this.#pointed || this.asks?.mark) ? this.#right : null,
    );

    // -- Actions

    /** Lays the step out anew. */
    async begin(): Promise<void> {
        const { step } = this;
        this.#halt();
        this.#tried = [];
        this.turnIndex = 0;
        this.said = null;
        if (!step) return;
        try {
            const answer = await api.tryStep(this.gameId, step.id, { moves: [], text: this.module === null });
            if (step !== this.step) return;
            this.#moves = answer.moves;
            this.#ask(answer);
            this.#show(answer.frames[0], null);
            if (!step.turns.length) this.#done();
        } catch (error) {
            this.trouble = error;
        }
    }

    async send(text: string): Promise<Answer> {
        const { step, asks } = this;
        if (this.phase !== "asked" || !step || !asks) return new Promise(() => {});
        this.phase = "shown";
        this.said = null;
        this.refused = null;
        const moves = [...this.#tried, text];
        let answer: LessonAnswer;
        try {
            answer = await api.tryStep(this.gameId, step.id, { moves, text: this.module === null });
        } catch (error) {
            this.phase = "asked";
            this.trouble = error;
            return new Promise(() => {});
        }
        this.trouble = null;
        if (step !== this.step) return new Promise(() => {});
        if (answer.refusal) return this.#refuse({ ...answer.refusal, move: text });
        this.#moves = answer.moves;
        this.#queue = [...answer.frames];
        this.#conclude = () => this.#answer(asks, answer, moves);
        this.#next();
        return { done: true, ply: answer.moves.length };
    }

    /** Goes back to before a wrong try, or to the start of a step that is done. */
    again(): void {
        if (this.phase !== "wrong" || !this.#asked) return void this.begin();
        this.said = null;
        this.#moves = this.#asked.moves;
        this.#ask(this.#asked);
        // A view of its own: what was picked in the position before the attempt is not picked now.
        const frame = this.#asked.frames.at(-1);
        if (frame) this.#show({ ...frame, view: { ...frame.view } }, null);
    }

    /** Marks the right move. */
    show(): void {
        this.#pointed = true;
    }

    go(step: number): void {
        if (step === this.at) return void this.begin();
        this.at = step;
    }

    /** What is shown has been taken in: go on. */
    goOn(): void {
        if (this.#conclude) this.#next();
    }

    #refuse(refusal: Refusal): Answer {
        this.phase = "asked";
        this.refused = refusal;
        this.said = { kind: "refused", text: refusalText(this.gameSay, refusal), rule: refusal.rule };
        return { done: false, refusal };
    }

    #answer(asked: LessonTurn, answer: LessonAnswer, moves: string[]): void {
        if (answer.verdict === "wrong") {
            this.said = { kind: "wrong", text: asked.wrong[answer.say ?? ""] ?? "", rule: null };
            this.phase = "wrong";
            return;
        }
        this.said = { kind: "right", text: asked.right, rule: null };
        this.#tried = moves;
        this.turnIndex = answer.turn;
        if (answer.shown === null) this.#done();
        else this.#ask(answer);
    }

    #ask(answer: LessonAnswer): void {
        this.#asked = answer;
        this.#right = answer.shown;
        this.#pointed = false;
        this.helped = false;
        this.refused = null;
        this.phase = "asked";
    }

    #done(): void {
        this.phase = "done";
        const id = this.step?.id;
        if (id && !this.learnt.includes(id)) this.learnt = [...this.learnt, id];
        storeLearnt(this.gameId, this.learnt);
    }

    /** Shows what comes next of an answer; after the last of it, what is said to it. */
    #next(): void {
        clearTimeout(this.#timer);
        const frame = this.#queue.shift();
        if (!frame) {
            const conclude = this.#conclude;
            this.#conclude = null;
            return conclude?.();
        }
        const before = this.shown?.frame ?? null;
        this.#show(frame, before);
        // What is said goes with the last of it; anything before that wants to be looked at.
        const hold = Math.max(
            LOOK,
            this.module?.displayTime?.(before?.view ?? null, frame.view, false) ?? HOLD,
        );
        this.#timer = window.setTimeout(() => this.#next(), this.#queue.length ? hold : HOLD);
    }

    #show(frame: LessonFrame | undefined, before: LessonFrame | null): void {
        if (frame) this.shown = { frame, before };
    }

    #halt(): void {
        clearTimeout(this.#timer);
        this.#queue = [];
        this.#conclude = null;
        this.phase = "shown";
    }
}
