// The messages of replays and analyses, which the first page does not load.
import { addMessages } from "../../i18n/messages.svelte";
import english from "./messages/en.json";

const FOLDER = "/src/pages/replay/messages";
const others = import.meta.glob<Record<string, string>>(
    ["/src/pages/replay/messages/*.json", "!/src/pages/replay/messages/en.json"],
    { import: "default" },
);

export const sayReplay = addMessages(FOLDER, english, others);
