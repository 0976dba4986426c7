// The messages about accounts and notifications, which the first page does not load.
import { addMessages } from "../../i18n/messages.svelte";
import english from "./messages/en.json";

const FOLDER = "/src/pages/account/messages";
const others = import.meta.glob<Record<string, string>>(
    ["/src/pages/account/messages/*.json", "!/src/pages/account/messages/en.json"],
    { import: "default" },
);

export const sayAccount = addMessages(FOLDER, english, others);
