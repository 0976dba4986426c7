// The messages of ratings and players, which the first page does not load.
import { addMessages } from "../../i18n/messages.svelte";
import english from "./messages/en.json";

const FOLDER = "/src/pages/ratings/messages";
const others = import.meta.glob<Record<string, string>>(
    ["/src/pages/ratings/messages/*.json", "!/src/pages/ratings/messages/en.json"],
    { import: "default" },
);

export const sayRatings = addMessages(FOLDER, english, others);
