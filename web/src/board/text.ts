// Words that every game's texts need.

/** Parameters for messages with {who, select, you {…} other {… {name} …}}. */
export function who(seat: number, viewer: number, names: readonly string[]): { who: string; name: string } {
    return { who: seat === viewer ? "you" : "other", name: names[seat] ?? "" };
}

export function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
