// The width the page is laid out for, as the window changes: phone, tablet, desktop. In em, so that larger text counts as a
// narrower window.
import type { Width } from "../board/contract";

const phone = matchMedia("(width < 45em)");
const desktop = matchMedia("(width >= 73.75em)");

class Widths {
    now = $state<Width>("M");

    constructor() {
        const measure = (): void => void (this.now = phone.matches ? "S" : desktop.matches ? "L" : "M");
        phone.addEventListener("change", measure);
        desktop.addEventListener("change", measure);
        measure();
    }
}

export const windowWidth = new Widths();
