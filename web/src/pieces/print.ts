// What pieces are made of: the same in light and dark.
export const PAPER = "#FFFAEF";
export const INK = "#150F19";
export const CORE = "#C8B494"; // the edge of the board a piece is cut from
export const SHEET = "#F0E4CC"; // every second edge in a pile of cards
export const SERIF = "Lora, Georgia, serif";

/** Round to a tenth of a pixel: keeps paths short. */
export function r1(value: number): number {
    return Math.round(value * 10) / 10;
}

/** How much of a card's corner a dog-ear folds over. */
export function foldOf(width: number): number {
    return r1(Math.max(16, width * 0.205));
}
