// What this device keeps between visits. Where storage is full or forbidden, this visit goes on without it.

export function read<T>(key: string): T | null {
    try {
        return JSON.parse(localStorage.getItem(key) ?? "null") as T | null;
    } catch {
        return null;
    }
}

export function write(key: string, value: unknown): void {
    try {
        localStorage.setItem(key, JSON.stringify(value));
    } catch {
        // Nothing to be done: the value holds for this visit.
    }
}
