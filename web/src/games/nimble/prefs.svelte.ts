// What a player of Nimble has chosen on this device: which thumb flips, and how a screen reader is spoken to.
interface Prefs {
    left: boolean; // left-handed: Flip under the left thumb
    slow: boolean; // slow voice
}

const PLACE = "sevenhues.nimble";

function kept(): Partial<Prefs> {
    try {
        return JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Prefs>;
    } catch {
        return {};
    }
}

class Chosen {
    now = $state<Prefs>({ left: false, slow: false, ...kept() });

    choose(changes: Partial<Prefs>): void {
        Object.assign(this.now, changes);
        try {
            localStorage.setItem(PLACE, JSON.stringify(this.now));
        } catch {
            // A full or forbidden storage: the choice holds for this visit.
        }
    }
}

export const prefs = new Chosen();
