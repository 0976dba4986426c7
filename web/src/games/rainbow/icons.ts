// The few line icons of this board.
export const ICONS = {
    turn: "M4 12a8 8 0 0 1 13.5-5.8L20 8.500M20 3.500v5h-5M20 12a8 8 0 0 1-13.500 5.800L4 15.500M4 20.500v-5h5",
    blind: "M5 11h14v10H5zM8 11V7.500a4 4 0 0 1 8 0V11",
    seen: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 .01 0",
    end: "M4.500 12.500 10 18 20 6.500",
} as const;
export type IconName = keyof typeof ICONS;
