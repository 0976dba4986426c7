// The keys of a race: one player has the whole keyboard, two share it from its two sides.
import type { Move } from "./choices";

export interface Caps {
    f: string;
    p1: string;
    p2: string;
    p3: string;
    b: string;
    t: string;
}

const ALONE: Caps = { f: " ", p1: "1", p2: "2", p3: "3", b: "b", t: "t" };
const RIGHT_HAND: Partial<Caps> = { p1: "j", p2: "k", p3: "l" };
const LEFT: Caps = { f: "a", p1: "q", p2: "w", p3: "e", b: "s", t: "d" };
const RIGHT: Caps = { f: "l", p1: "u", p2: "i", p3: "o", b: "k", t: "j" };

/** The keys of each player at this keyboard, of how many. Three or more have none: they play by touch. */
export function capsFor(player: number, players: number): Caps | null {
    if (players === 1) return ALONE;
    return players === 2 ? (player === 0 ? LEFT : RIGHT) : null;
}

/** The player at this keyboard and the move that a key stands for, or null. `code` finds digits where they need Shift. */
export function moveOfKey(key: string, code: string, players: number): { player: number; move: Move } | null {
    const pressed = /^Digit[1-3]$/.test(code) && players === 1 ? code.slice(-1) : key.toLowerCase();
    const sets = players === 1 ? [[ALONE, RIGHT_HAND]] : players === 2 ? [[LEFT], [RIGHT]] : [];
    for (const [player, caps] of sets.entries()) {
        for (const set of caps) {
            const move = Object.entries(set).find(([, cap]) => cap === pressed)?.[0];
            if (move) return { player, move: move as Move };
        }
    }
    return null;
}

/** How a key is printed on its cap. */
export function cap(key: string): string {
    return key === " " ? "Space" : key.toUpperCase();
}
