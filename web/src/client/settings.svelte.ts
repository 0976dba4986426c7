// The user's settings on this device, kept in localStorage.
import type { Settings } from "../board/contract";

export type Theme = "auto" | "light" | "dark";

export interface Choices {
    theme: Theme;
    letters: boolean;
    keys: boolean;
    confirm: boolean;
    sound: boolean;
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
    plain: false,
    rated: false,
    language: "",
};

function stored(): Partial<Choices> {
    try {
        return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Partial<Choices>;
    } catch {
        return {};
    }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

export class SettingsStore {
    choices = $state<Choices>({ ...DEFAULTS, ...stored() });
    #still = $state(reduced.matches);

    constructor() {
        dark.addEventListener("change", () => this.apply());
        reduced.addEventListener("change", () => (this.#still = reduced.matches));
        addEventListener("storage", ({ key }) => key === STORAGE_KEY && this.follow());
        this.apply();
    }

    /** The settings that boards get. */
    get forBoards(): Settings {
        const { letters, keys, confirm, sound } = this.choices;
        return { letters, keys, confirm, sound, still: this.#still };
    }

    get still(): boolean {
        return this.#still;
    }

    choose(changes: Partial<Choices>): void {
        Object.assign(this.choices, changes);
        try {
            localStorage.setItem(STORAGE_KEY, JSON.stringify(this.choices));
        } catch {
            // A full or forbidden storage: the choice holds for this visit.
        }
        this.apply();
    }

    /** Take over what was chosen in another tab. */
    private follow(): void {
        Object.assign(this.choices, stored());
        this.apply();
    }

    private apply(): void {
        const { theme } = this.choices;
        document.documentElement.dataset["theme"] =
            theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
    }
}
