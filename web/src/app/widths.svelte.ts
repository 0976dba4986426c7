// The width the page is laid out for, as the window changes: phone, tablet, desktop.
import type { Width } from "./game";

const phone = matchMedia("(max-width: 719px)");
const desktop = matchMedia("(min-width: 1180px)");

class Widths {
    now = $state<Width>("M");

    constructor() {
        const measure = (): void => void (this.now = phone.matches ? "S" : desktop.matches ? "L" : "M");
        phone.addEventListener("change", measure);
        desktop.addEventListener("change", measure);
        measure();
    }
}

export const widths = new Widths();
