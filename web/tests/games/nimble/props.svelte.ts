// Props that a test can change while the component stands; views are the server's, and stay as they came.
import type { BoardProps } from "../../../src/board/contract";
import type { View } from "../../../src/games/nimble/types";

type All = BoardProps<View>;

export function reactive(start: All): { all: All; change(changes: Partial<All>): void } {
    let now = $state.raw(start);
    const all = Object.defineProperties(
        {},
        Object.fromEntries(
            Object.keys(start).map((key) => [key, { enumerable: true, get: () => now[key as keyof All] }]),
        ),
    ) as All;
    return { all, change: (changes) => void (now = { ...now, ...changes }) };
}
