// Why a table to be laid would not be rated: what the server will say of it, before it is asked.
import type { GameInfo, NewTable, Unrated } from "../../wire/types";

type Wish = Pick<NewTable, "seats" | "options" | "hints">;

export function unratedWish(game: GameInfo, wish: Wish): Unrated | null {
    const mine = wish.seats.filter((seat) => seat.kind === "me").length;
    if (wish.seats.length === 1) return "alone";
    if (wish.hints) return "hints";
    const helps = game.options.filter((option) => option.helps);
    if (helps.some(({ name, choices }) => (wish.options?.[name] ?? choices[0]) !== choices[0]))
        return "helped";
    if (mine > 1) return "shared";
    return wish.seats.every((seat) => seat.kind === "bot") ? "bots" : null;
}
