// The few line icons of this board.
export const ICONS = {
    near: "M11 4a7 7 0 1 0 .010 0M16.200 16.200 21 21M8 11h6M11 8v6",
    far: "M11 4a7 7 0 1 0 .010 0M16.200 16.200 21 21M8 11h6",
    fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
    share: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
    again: "M9 5 4 10l5 5M4.500 10H14a6 6 0 0 1 0 12h-3",
    check: "M4.500 12.500 10 18 20 6.500",
    flip: "M4 12a8 8 0 0 1 13.500-5.800L20 8.500M20 3.500v5h-5M20 12a8 8 0 0 1-13.500 5.800L4 15.500M4 20.500v-5h5",
} as const;
