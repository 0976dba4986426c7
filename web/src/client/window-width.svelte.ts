// The width class of the window: phone, tablet or desktop. In em: larger text counts as a narrower window.
import { MediaQuery } from "svelte/reactivity";
import type { Width } from "../board/contract";

export class WindowWidth {
    readonly #phone = new MediaQuery("(width < 45em)");
    readonly #desktop = new MediaQuery("(width >= 73.75em)");

    get now(): Width {
        return this.#phone.current ? "S" : this.#desktop.current ? "L" : "M";
    }
}
