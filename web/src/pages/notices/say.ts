// The messages of notices, which are loaded when there is one.
import { addMessages } from "../../i18n/messages.svelte";
import english from "./messages/en.json";

const FOLDER = "/src/pages/notices/messages";
const others = import.meta.glob<Record<string, string>>(
    ["/src/pages/notices/messages/*.json", "!/src/pages/notices/messages/en.json"],
    { import: "default" },
);

export const sayNotice = addMessages(FOLDER, english, others);
