// What a game brings to the shell, and what the shell hands its board. The shell never names a game:
// `src/games/<id>/index.ts` default-exports a GameModule, `src/games/<id>/Picture.svelte` draws its card on the home page.
import type { Component, Snippet } from "svelte";
import type { Say } from "../i18n/messages.svelte";
import type { Moved, OptionValue, Result, SeatInfo } from "../wire/types";

export type { Moved, Result, Say };

/** The sounds that a board can ask for. */
export type Sound =
    | "pick"
    | "land"
    | "flip"
    | "slide"
    | "hop"
    | "clash"
    | "rainbow"
    | "weather"
    | "place"
    | "late"
    | "turn"
    | "tick";

/** The three windowWidth a table is laid out in: phone, tablet, desktop. */
export type Width = "S" | "M" | "L";

/** Why a move was not made; `rule` opens in the rules sheet. */
export interface Refusal {
    key: string;
    text: string; // in English, for games without words of their own for `key`
    parameters: Record<string, string | number>;
    rule: string | null;
    move: string | null; // the text that was sent
}

/** What came of a move that was sent. */
export type Answer = { done: true; ply: number | null } | { done: false; refusal: Refusal };

/** What this person has chosen, for themselves, on this device. */
export interface Settings {
    letters: boolean; // the letter is the big sign of a piece, the glyph the small one
    keys: boolean; // single letters are shortcuts
    confirm: boolean; // on touch, what cannot be undone needs pick and confirm
    sound: boolean;
    still: boolean; // nothing moves: prefers-reduced-motion
}

/** The clock of a seat: what was left at the time `at` (by this device's clock), and whether it runs. */
export interface SeatClock {
    left: number;
    at: number;
    running: boolean;
}

/** A seat as it is shown: `src/app/table/Plate.svelte` draws it. */
export interface SeatPlate {
    seat: number;
    kind: SeatInfo["kind"];
    name: string;
    mine: boolean; // held by this person
    presence: "here" | "away" | "lost"; // lost: our own connection is down, so nobody knows
    line: string; // what they do, in a few words
    clock: SeatClock | null;
    score: number | null;
    toAct: boolean;
    result: "won" | "lost" | "drawn" | null; // once the game is over
}

/** One pair of eyes where several are open at once (everybody acts at once, on one device). */
export interface Eyes<V> {
    seat: number;
    view: V;
    legal: readonly string[];
}

export interface BoardProps<V = any> {
    view: V; // through these eyes
    before: V | null; // the view shown just before, for animation; null when there is none to animate from
    seat: number; // whose eyes; -1 a watcher
    legal: readonly string[]; // moves this seat may make now; [] when not its turn or while one is in flight
    names: readonly string[]; // by seat, as people should be called ("You" is the board's business)
    /** Makes a move, for `seat` where several play on one device. Settles with the answer, in the order of asking. */
    send(text: string, seat?: number): Promise<Answer>;
    moves: readonly Moved[]; // all moves so far: as many as led to `view`
    refused: Refusal | null; // the last refusal, until the next move
    result: Result | null;
    settings: Settings;
    seats: readonly SeatPlate[]; // for boards that draw the seat plates themselves (see Frame)
    eyes?: readonly Eyes<V>[]; // all eyes (simultaneous games on one device)
    width: Width;
    ask: Snippet; // the sentence of what is asked, with its second line and a refusal: see Frame
    hint?: Snippet; // hints, where the table gives them: a part of `ask`, for where a board leaves that out
    hinted?: string | null; // the move that a hint names: to be marked with pieces/Hinted.svelte
    say: Say; // the game's catalogue, in the chosen language
    options: Options;
    puzzle?: Puzzle | null; // of a table for one
    rule(id: string): void; // opens the rules at this one
    goOn(): void; // what is shown has been taken in: the next change need not wait for its time
    sound(name: Sound, pitch?: number): void; // heard only where sound is on
    begins: number | null; // when a race starts, by this device's clock, while that lies ahead
    past?: boolean; // a moment of a game that is over: nothing can be done, and what only serves doing is left out
}

/** What the table was laid with. */
export type Options = Readonly<Record<string, OptionValue>>;

/** A table for one, as it can be passed on. */
export interface Puzzle {
    code: string; // what it is dealt from
    address: string; // where it opens, for anybody
    startOver(): void; // lays it anew
}

/** What a board places on its own mat. What it leaves out the shell puts around it: seats above, what is asked below. */
export interface Frame {
    seats?: readonly Width[]; // the windowWidth at which the board draws the plates itself, with Plate.svelte
    ask?: readonly Width[]; // the windowWidth at which it renders the `ask` snippet where it belongs
}

export interface GameModule<V = any> {
    Board: Component<BoardProps<V>>;
    /** What the rail shows above the log on wide screens, and a sheet on narrow ones. */
    Aside?: Component<BoardProps<V>>;
    /**
     * By language; keys without the game's prefix. The shell looks for `option.<name>`, `option.<name>.about` and
     * `option.<name>.<value>`, `refused.<key>` with its parameters, and `aside`, the title of the Aside's sheet.
     */
    messages: Record<string, Record<string, string>>;
    /** What is asked of this seat (or what it waits for): a sentence, and why. */
    ask(
        view: V,
        seat: number,
        legal: readonly string[],
        say: Say,
        names: readonly string[],
        options: Options,
    ): Asked;
    /**
     * The log's line for the move that led from `before` to `after`; null when there is nothing to tell. It may tell no
     * more than the viewer sees in `now`: the log forgets a colour once its face is hidden. `**green**` is bold,
     * `<green>` before a word is a swatch of that token, `<hidden>` a hatched one.
     */
    story(before: V | null, after: V, names: readonly string[], say: Say, now: V): string | null;
    /** A line for a move of which only the text is known, made before this page was opened. */
    retold?(move: Moved, names: readonly string[], say: Say, seat: number): string;
    /** A move that the log leaves out, in a few words, where one looks at every single move. */
    brief?(move: Moved, names: readonly string[], say: Say, seat: number): string;
    /** A move that was not made and would have been better, in a few words: "turn over card 2". */
    instead?(text: string, say: Say): string;
    /** A legal move as a short instruction, for a hint: "Play card 2 blind". */
    advice?(text: string, view: V, seat: number, say: Say, names: readonly string[]): string;
    /** The position for a screen reader (H). */
    aloud?(view: V, seat: number, names: readonly string[], say: Say, options: Options): string;
    /** In words, why the game ended, and the rule it rests on. */
    ending?(
        view: V,
        result: Result,
        names: readonly string[],
        say: Say,
        options: Options,
    ): { text: string; rule?: string };
    /** What the log says above its lines, e.g. the round: a title and a sentence. */
    chapter?(view: V, names: readonly string[], say: Say): Asked;
    /** How long this change wants to be looked at before the next one is shown, in ms; 320 unless told. */
    hold?(before: V | null, after: V): number;
    /** What a score counts, e.g. "won": the word after the number on a plate. */
    unit?(say: Say): string;
    time: string; // e.g. "15 min"
    frame?: Frame;
    /** The board makes its own sounds; otherwise a move is heard landing. */
    sounds?: boolean;
    /** Nothing but the board is on the screen, and it fills it. */
    bare?(at: { eyes: number; width: Width; racing: boolean }): boolean;
    /** Nothing is secret in this game: a shared device needs no curtain. */
    open?: boolean;
}

export interface Asked {
    title: string;
    detail: string;
}
