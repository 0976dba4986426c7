// What a game brings to the shell, and what the shell hands its board. The shell never names a game:
// `src/games/<id>/index.ts` default-exports a GameModule, `src/games/<id>/Picture.svelte` draws its card on the home page.
/* eslint-disable @typescript-eslint/no-explicit-any -- the view of a game is known to its board alone */
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

/** The three widths a table is laid out in: phone, tablet, desktop. */
export type Width = "S" | "M" | "L";

/** Why a move was not made; `rule` opens in the rules sheet. */
export interface Refusal {
    key: string;
    text: string; // in English, for games without words of their own for `key`
    parameters: Record<string, string | number>;
    rule: string | null;
    move: string | null; // the text that was sent
}

/** The answer to a move. */
export type Answer = { done: true; ply: number | null } | { done: false; refusal: Refusal };

/** The user's settings on this device. */
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
    pausedUntil?: number | null; // when the running clock goes on, if its player is on holiday
}

/** A seat as it is shown: `SeatPlate.svelte` draws it. */
export interface SeatPlate {
    seat: number;
    kind: SeatInfo["kind"];
    name: string;
    bot?: boolean; // a program plays it, over a bot account
    mine: boolean; // held by this person
    presence: "here" | "away" | "lost"; // lost: our own connection is down, so nobody knows
    line: string; // what they do, in a few words
    clock: SeatClock | null;
    score: number | null;
    toAct: boolean;
    result: "won" | "lost" | "drawn" | null; // once the game is over
}

/** A view of one seat where several are shown at once: everybody acts at once, on one device. */
export interface BoardView<V> {
    seat: number;
    view: V;
    legal: readonly string[];
}

/** A position as one seat sees it: what every function of a game is given. */
export interface Context<V = any> {
    view: V;
    seat: number; // the viewer's; -1 for a watcher
    legal: readonly string[]; // moves this seat may make now; [] when not its turn or while a move is in flight
    moves: readonly Moved[]; // that led to `view`
    names: readonly string[]; // by seat ("You" is the game's business)
    say: Say; // the game's messages in the chosen language
    options: Options;
    shared?: boolean; // several players use this device at once: nobody is "you"
}

/** What a board is given. Every field is read by itself, so that a board updates only for what changed. */
export interface BoardProps<V = any> extends Context<V> {
    before: V | null; // the view shown just before, to animate from
    /** Make a move, for `seat` where several play on one device. Answers come in the order of the calls. */
    send(text: string, seat?: number): Promise<Answer>;
    refused: Refusal | null; // the last refusal, until the next move
    result: Result | null;
    settings: Settings;
    seats: readonly SeatPlate[]; // for boards that place the seats themselves: see Placement
    views?: readonly BoardView<V>[]; // of all seats on this device, in a simultaneous game
    width: Width;
    prompt: Snippet; // what to do now, with a refusal and hints: see Placement
    hint?: Snippet; // hints alone, for a board that leaves `prompt` out
    hinted?: string | null; // the move that a hint names: mark it with pieces/Hinted.svelte
    puzzle?: Puzzle | null; // of a table for one
    openRule(id: string): void;
    goOn(): void; // show the next change at once
    sound(name: Sound, pitch?: number): void; // silent unless sound is on
    startsAt: number | null; // when a race starts, by this device's clock, while that is in the future
    readOnly?: boolean; // a replay: no moves can be made
    state?: any; // what `GameModule.createState` made
}

export type Options = Readonly<Record<string, OptionValue>>;

/** A table for one player, which can be shared. */
export interface Puzzle {
    code: string; // the deal's seed
    address: string; // opens it for anybody
    startOver(): void;
}

/** What a board places itself, by width. What it leaves out the stage puts around it: seats above, prompt below. */
export interface Placement {
    seats?: readonly Width[];
    prompt?: readonly Width[];
}

/** A title and a sentence. */
export interface PromptText {
    title: string;
    detail: string;
}

export interface GameModule<V = any> {
    Board: Component<BoardProps<V>>;
    /** Shown above the log on wide screens, and in a sheet on narrow ones. */
    Aside?: Component<BoardProps<V>>;
    /** Create the state that Board and Aside share, once for each screen. */
    createState?(): unknown;
    /** What a race is about, in a picture and a sentence: shown until the player is ready. */
    Intro?: Component<{ say: Say; letters: boolean }>;
    /**
     * English messages; other languages are loaded from `messages/`. The shell reads `option.<name>`,
     * `option.<name>.about`, `option.<name>.<value>`, `refused.<key>` and `aside`, the title of the Aside's sheet.
     */
    messages: Record<string, Record<string, string>>;
    /** What this seat is to do or waits for. */
    prompt(context: Context<V>): PromptText;
    /**
     * The log's line for the move from `before` to `after`, or null. It tells no more than the viewer sees now, in
     * `context.view`. `**green**` is bold, `<green>` a swatch of that token, `<hidden>` a hatched one.
     */
    logLine(before: V | null, after: V, context: Context<V>): string | null;
    /** The log's line for a move of which only the text is known. */
    logLineFromText?(move: Moved, context: Context<V>): string;
    /** A few words for a move that the log leaves out; a replay shows every move. */
    briefLine?(move: Moved, context: Context<V>): string;
    /** A better move that was not made, in a few words: "turn over card 2". */
    alternative?(text: string, context: Context<V>): string;
    /** A legal move as a short instruction: "Play card 2 blind". */
    hintText?(text: string, context: Context<V>): string;
    /** A card of a race's report by its code: the name that players know. */
    cardName?(code: string, say: Say): string;
    /** The position for a screen reader. */
    describePosition?(context: Context<V>): string;
    /** Why the game ended, and the rule. */
    ending?(result: Result, context: Context<V>): { text: string; rule?: string };
    /** The heading of the log, such as the round. */
    heading?(context: Context<V>): PromptText;
    /** How long a change is shown before the next one, in ms; 320 by default. At a live table a board can end it by `goOn`. */
    displayTime?(before: V | null, after: V, live: boolean): number;
    /** The unit of a score: the word after the number on a seat plate. */
    scoreUnit?(say: Say, count: number): string;
    placement?: Placement;
    /** The board plays its own sounds; otherwise a move is heard landing. */
    ownSounds?: boolean;
}
