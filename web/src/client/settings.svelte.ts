// The user's settings on this device, kept in localStorage.
import { MediaQuery } from "svelte/reactivity";
import type { Settings } from "../board/contract";
import { read, write } from "../board/storage";

export type Theme = "auto" | "light" | "dark";

export interface Choices {
    theme: Theme;
    letters: boolean;
    keys: boolean;
    confirm: boolean;
    sound: boolean;
    mute: boolean; // what other players say is not shown
    plain: boolean; // the generic table for every game
    rated: boolean; // games against bots without hints, which are rated
    language: string;
}

const STORAGE_KEY = "sevenhues.settings";
const DEFAULTS: Choices = {
    theme: "auto",
    letters: false,
    keys: true,
    confirm: true,
    sound: false,
    mute: false,
    plain: false,
    rated: false,
    language: "",
};

const dark = matchMedia("(prefers-color-scheme: dark)");
const reduced = new MediaQuery("(prefers-reduced-motion: reduce)");

export class SettingsStore {
    choices = $state<Choices>({ ...DEFAULTS, ...read<Partial<Choices>>(STORAGE_KEY) });

    constructor() {
        dark.addEventListener("change", () => this.apply());
        addEventListener("storage", ({ key }) => key === STORAGE_KEY && this.follow());
        this.apply();
    }

    /** The settings that boards get. */
    get forBoards(): Settings {
        const { letters, keys, confirm, sound } = this.choices;
        return { letters, keys, confirm, sound, still: this.still };
    }

    get still(): boolean {
        return reduced.current;
    }

    choose(changes: Partial<Choices>): void {
        Object.assign(this.choices, changes);
        write(STORAGE_KEY, this.choices);
        this.apply();
    }

    /** Take over what was chosen in another tab. */
    private follow(): void {
        Object.assign(this.choices, read(STORAGE_KEY));
        this.apply();
    }

    private apply(): void {
        const { theme } = this.choices;
        document.documentElement.dataset["theme"] =
            theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
    }
}
