// The messages about a user's bot accounts, which the first page does not load.
import { addMessages } from "../../i18n/messages.svelte";
import english from "./messages/en.json";

const FOLDER = "/src/pages/bots/messages";
const others = import.meta.glob<Record<string, string>>(
    ["/src/pages/bots/messages/*.json", "!/src/pages/bots/messages/en.json"],
    { import: "default" },
);

export const sayBots = addMessages(FOLDER, english, others);
