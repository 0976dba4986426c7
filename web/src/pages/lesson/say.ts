// The messages of lessons, which the first page does not load.
import { addMessages } from "../../i18n/messages.svelte";
import english from "./messages/en.json";

const FOLDER = "/src/pages/lesson/messages";
const others = import.meta.glob<Record<string, string>>(
    ["/src/pages/lesson/messages/*.json", "!/src/pages/lesson/messages/en.json"],
    { import: "default" },
);

export const sayLesson = addMessages(FOLDER, english, others);
