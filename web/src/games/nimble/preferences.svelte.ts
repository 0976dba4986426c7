// The preferences of Nimble's players on this device.
import { read, write } from "../../board/storage";

interface Choices {
    left: boolean; // left-handed: Flip under the left thumb
    slow: boolean; // slow voice
}

const KEY = "sevenhues.nimble";

export class Preferences {
    now = $state<Choices>({ left: false, slow: false, ...read<Partial<Choices>>(KEY) });

    choose(changes: Partial<Choices>): void {
        Object.assign(this.now, changes);
        write(KEY, this.now);
    }
}
