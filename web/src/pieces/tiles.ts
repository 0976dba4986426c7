// What Flip & Slide's hexagons bear beside colours: the clover on every back, and the players' own tiles, which carry no hue.
import { INK, PAPER } from "./print";

export const CLOVER = {
    leaf: "M12 11.2C10 9.6 7.6 8 7.6 5.7A2.6 2.6 0 0 1 12 4.2a2.6 2.6 0 0 1 4.4 1.5C16.4 8 14 9.6 12 11.2Z", // four, by quarter turns
    ground: "#F6EFDB",
    green: "#5F7A48",
    line: "#7F9468",
    barred: "#B9C1A0", // may not be flipped
} as const;

export interface PlayerTile {
    name: "pot" | "hat" | "horseshoe" | "key";
    ground: string;
    print: string;
    dashed: boolean;
    glyph: string;
}

/** By seat. */
export const PLAYER_TILES: readonly PlayerTile[] = [
    {
        name: "pot",
        ground: INK,
        print: PAPER,
        dashed: false,
        glyph: "M4 9h16v2.2h-1.3A8 8 0 0 1 20 15.4c0 2.4-1.2 4.4-3 5.6l.8 1.5h-3l-.5-.7a11 11 0 0 1-4.6 0l-.5.7h-3L7 21c-1.8-1.2-3-3.2-3-5.6a8 8 0 0 1 1.3-4.2H4ZM7 7.6a2.5 2.5 0 0 1 4.6-1.4A2.6 2.6 0 0 1 16.8 7.6Z",
    },
    {
        name: "hat",
        ground: PAPER,
        print: INK,
        dashed: false,
        glyph: "M7 3h10l1.2 10H5.8ZM5.6 14.4h12.8l.3 2.4H22v3H2v-3h3.3Z",
    },
    {
        name: "horseshoe",
        ground: INK,
        print: PAPER,
        dashed: true,
        glyph: "M12 2a8.4 8.4 0 0 0-8.4 8.6c0 4 1.2 6.8 2.2 9.1H4V23h6.6c-1-3.6-2.6-7.5-2.6-12.4A4 4 0 0 1 12 6.2a4 4 0 0 1 4 4.4c0 4.9-1.6 8.8-2.6 12.4H20v-3.3h-1.8c1-2.3 2.2-5.1 2.2-9.1A8.4 8.4 0 0 0 12 2Z",
    },
    {
        name: "key",
        ground: PAPER,
        print: INK,
        dashed: true,
        glyph: "M12 1.5a5.5 5.5 0 0 0-1.6 10.8V22h5.8v-3h-2.6v-2h2.6v-3h-2.6v-1.7A5.5 5.5 0 0 0 12 1.5ZM12 4.7a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6Z",
    },
];
