// The options of a game in words, from its own messages where they have them.
import type { Say } from "../board/contract";
import { sayIfKnown, say } from "../i18n/messages.svelte";
import type { GameInfo, OptionValue } from "../wire/types";

type Option = GameInfo["options"][number];

/** The name of an option. */
export function optionName({ name }: Option, gameSay: Say): string {
    return sayIfKnown(gameSay, `option.${name}`) ?? name.replaceAll("_", " ");
}

/** What an option does, in a sentence. */
export function optionAbout({ name, about }: Option, gameSay: Say): string {
    return sayIfKnown(gameSay, `option.${name}.about`) ?? about;
}

/** A value of an option, shown beside the option's name. */
export function optionValue({ name }: Option, value: OptionValue, gameSay: Say): string {
    const plain = value === true ? say("yes") : value === false ? say("no") : String(value);
    return sayIfKnown(gameSay, `option.${name}.${value}`) ?? plain;
}

/** An option in a word or two; null if it has its default value. */
export function optionChip(option: Option, value: OptionValue, gameSay: Say): string | null {
    if (value === option.choices[0]) return null;
    const own = sayIfKnown(gameSay, `option.${option.name}.${value}`);
    const name = option.name.replaceAll("_", " ");
    return own ?? (value === true ? name : `${name}: ${value}`);
}
