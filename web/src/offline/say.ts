// The messages about offline play, which the first page does not load.
import { addMessages } from "../i18n/messages.svelte";
import english from "./messages/en.json";

const FOLDER = "/src/offline/messages";
const others = import.meta.glob<Record<string, string>>(
    ["/src/offline/messages/*.json", "!/src/offline/messages/en.json"],
    { import: "default" },
);

export const sayOffline = addMessages(FOLDER, english, others);
