// Small drawings on 24 by 24: the weather, the two orders, and a sign for each prank.
import type { Prank } from "./types";

export const SUN =
    "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10ZM11 1h2v4h-2ZM11 19h2v4h-2ZM1 11h4v2H1ZM19 11h4v2h-4ZM3.5 4.9 4.9 3.5 7.7 6.3 6.3 7.7ZM16.3 17.7l1.4-1.4 2.8 2.8-1.4 1.4ZM3.5 19.1l2.8-2.8 1.4 1.4-2.8 2.8ZM16.3 6.3l2.8-2.8 1.4 1.4-2.8 2.8Z";
export const RAIN =
    "M7 14.5a4.5 4.5 0 0 1-.4-9A6 6 0 0 1 18 6.3a4.2 4.2 0 0 1-.5 8.2ZM7 16.5h2.2L7.6 21.5H5.4ZM11.5 16.5h2.2l-1.6 5h-2.2ZM16 16.5h2.2l-1.6 5h-2.2Z";

// Lines, not fills.
export const CLIMBS = "M4 19h4v-4h4v-4h4V7h4";
export const DESCENDS = "M4 7h4v4h4v4h4v4h4";
export const PRANK_SIGNS: Record<Prank, string> = {
    exchange: "M4 8.500h14M14 4l4.500 4.500L14 13M20 15.500H6M10 11l-4.500 4.500L10 20",
    jump: "M3 19c2-11 12-13 17-5M20.500 8.500v5.800h-5.800",
    skip: "M2.5 15C4 4 17 2.5 20.5 11.500M21 6.500v5.500h-5.500M9 14.500h6v7H9z",
    trash: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
    teleport:
        "M12 3v4M12 17v4M3 12h4M17 12h4M12 9.500a2.500 2.500 0 1 0 .010 0M6 6l1.500 1.500M16.500 16.500 18 18M18 6l-1.500 1.500M7.500 16.500 6 18",
    recycle: "M12 4a8 8 0 1 1-7.600 5.500M4 4v5.800h5.800M12 8v4l3 2",
};
export const STAR = "M12 2 14 10 22 12 14 14 12 22 10 14 2 12 10 10Z";
