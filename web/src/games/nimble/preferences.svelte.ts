// The preferences of Nimble's players on this device.
interface Choices {
    left: boolean; // left-handed: Flip under the left thumb
    slow: boolean; // slow voice
}

const KEY = "sevenhues.nimble";

function stored(): Partial<Choices> {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>;
    } catch {
        return {};
    }
}

export class Preferences {
    now = $state<Choices>({ left: false, slow: false, ...stored() });

    choose(changes: Partial<Choices>): void {
        Object.assign(this.now, changes);
        try {
            localStorage.setItem(KEY, JSON.stringify(this.now));
        } catch {
            // A full or forbidden storage: the choice holds for this visit.
        }
    }
}
