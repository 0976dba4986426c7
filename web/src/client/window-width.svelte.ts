// The width class of the window: phone, tablet or desktop. In em: larger text counts as a narrower window.
import type { Width } from "../board/contract";

const phone = matchMedia("(width < 45em)");
const desktop = matchMedia("(width >= 73.75em)");

export class WindowWidth {
    now = $state<Width>("M");

    constructor() {
        const measure = (): void => void (this.now = phone.matches ? "S" : desktop.matches ? "L" : "M");
        phone.addEventListener("change", measure);
        desktop.addEventListener("change", measure);
        measure();
    }
}
