// The games on this device, read from their list without starting the worker.
import { DATABASE, LISTED } from "./database";
import type { TableInfo } from "../wire/types";

/** Return the games on this device; none if it has no list. */
export async function listed(): Promise<TableInfo[]> {
    const database = await open();
    if (!database) return [];
    try {
        return await all(database);
    } finally {
        database.close();
    }
}

/** Open the database if it exists, and never create it. */
function open(): Promise<IDBDatabase | null> {
    return new Promise((resolve) => {
        const request = indexedDB.open(DATABASE);
        request.onupgradeneeded = () => request.transaction?.abort();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => resolve(null);
    });
}

function all(database: IDBDatabase): Promise<TableInfo[]> {
    return new Promise((resolve, reject) => {
        const request = database.transaction(LISTED).objectStore(LISTED).getAll();
        request.onsuccess = () => resolve(request.result as TableInfo[]);
        request.onerror = () => reject(request.error ?? new Error("the list cannot be read"));
    });
}
