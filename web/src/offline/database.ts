// The storage of offline games: texts in IndexedDB, encrypted by a key that never leaves the browser.

export const DATABASE = "sevenhues-offline";
const VERSION = 1;
const KEYS = "keys";
const KEY = "storage";
/** The store that the page reads without the worker: its texts are JSON, and are stored as objects. */
export const LISTED = "listed";
const EVENTS = "events";
const STORES = ["tables", EVENTS, "analyses", "device", LISTED, KEYS];
const IV_BYTES = 12;

type Key = string | [string, number];
type Named = [store: string, key: Key];
type Text = [store: string, key: Key, text: string];

/** Changes of one transaction: see `sevenhues.offline.device`. */
interface Changes {
    need: Named[];
    add: Text[];
    put: Text[];
    delete: Named[];
}

interface Sealed {
    iv: Uint8Array<ArrayBuffer>;
    data: ArrayBuffer;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function result<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(failure(request.error));
    });
}

/** Wait until a transaction is durable; reject with its error if it is aborted. */
function completed(transaction: IDBTransaction): Promise<void> {
    return new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(failure(transaction.error));
    });
}

function failure(error: DOMException | null): Error {
    return error ?? new DOMException("The transaction was aborted.", "AbortError");
}

function open(): Promise<IDBDatabase> {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
        for (const store of STORES) request.result.createObjectStore(store);
    };
    return result(request);
}

/** Return the key of this device; of two tabs that open a new database, one makes the key. */
async function deviceKey(database: IDBDatabase): Promise<CryptoKey> {
    const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
        "encrypt",
        "decrypt",
    ]);
    const transaction = database.transaction(KEYS, "readwrite", { durability: "strict" });
    const done = completed(transaction);
    const keys = transaction.objectStore(KEYS);
    const kept = (await result(keys.get(KEY))) as CryptoKey | undefined;
    if (!kept) keys.put(made, KEY);
    await done;
    return kept ?? made;
}

/** The database as `sevenhues.offline.device.Database` describes it. */
export class Database {
    readonly #database: IDBDatabase;
    readonly #key: CryptoKey;

    private constructor(database: IDBDatabase, key: CryptoKey) {
        this.#database = database;
        this.#key = key;
        database.onversionchange = () => database.close(); // it is deleted, or a newer version is opened
    }

    static async open(): Promise<Database> {
        const database = await open();
        return new Database(database, await deviceKey(database));
    }

    close(): void {
        this.#database.close();
    }

    async commit(text: string): Promise<"done" | "missing" | "exists"> {
        const changes = JSON.parse(text) as Changes;
        // Encrypted before the transaction begins: it would end while nothing is asked of it.
        const [added, put] = await Promise.all([this.#sealAll(changes.add), this.#sealAll(changes.put)]);
        const named = [...changes.need, ...changes.add, ...changes.put, ...changes.delete];
        const stores = [...new Set(named.map(([store]) => store))];
        const transaction = this.#database.transaction(stores, "readwrite", { durability: "strict" });
        const done = completed(transaction);
        done.catch(() => undefined); // awaited below, unless the transaction is refused
        for (const [store, key] of changes.need) {
            if (await isFree(transaction, store, key)) return "missing";
        }
        for (const [store, key] of changes.add) {
            if (!(await isFree(transaction, store, key))) return "exists";
        }
        for (const [store, key, value] of [...added, ...put]) transaction.objectStore(store).put(value, key);
        for (const [store, key] of changes.delete) transaction.objectStore(store).delete(key);
        await done;
        return "done";
    }

    /** Return a text; an empty one if there is none. */
    async get(store: string, key: string): Promise<string> {
        const value: unknown = await result(this.#read(store).get(key));
        return value === undefined ? "" : this.#open(store, key, value);
    }

    async all(store: string): Promise<string> {
        const objects = this.#read(store);
        const [keys, values] = await Promise.all([
            result(objects.getAllKeys()),
            result(objects.getAll() as IDBRequest<unknown[]>),
        ]);
        const pairs = keys.map(async (key, at) => [key, await this.#open(store, key as string, values[at])]);
        return JSON.stringify(await Promise.all(pairs));
    }

    async log(table: string, start: number): Promise<string> {
        const range = IDBKeyRange.bound([table, start], [table, Infinity]);
        const values = await result(this.#read(EVENTS).getAll(range) as IDBRequest<unknown[]>);
        const texts = values.map((value, at) => this.#open(EVENTS, [table, start + at], value));
        return JSON.stringify(await Promise.all(texts));
    }

    count(table: string): Promise<number> {
        return result(this.#read(EVENTS).count(IDBKeyRange.bound([table, 0], [table, Infinity])));
    }

    /** Delete everything but the key. */
    async clear(): Promise<void> {
        const stores = STORES.filter((store) => store !== KEYS);
        const transaction = this.#database.transaction(stores, "readwrite", { durability: "strict" });
        for (const store of stores) transaction.objectStore(store).clear();
        await completed(transaction);
    }

    #read(store: string): IDBObjectStore {
        return this.#database.transaction(store).objectStore(store);
    }

    #sealAll(texts: Text[]): Promise<[string, Key, unknown][]> {
        return Promise.all(
            texts.map(async ([store, key, text]): Promise<[string, Key, unknown]> => [
                store,
                key,
                store === LISTED ? JSON.parse(text) : await this.#seal(store, key, text),
            ]),
        );
    }

    async #seal(store: string, key: Key, text: string): Promise<Sealed> {
        const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
        const data = await crypto.subtle.encrypt(sealing(iv, store, key), this.#key, encoder.encode(text));
        return { iv, data };
    }

    async #open(store: string, key: Key, value: unknown): Promise<string> {
        if (store === LISTED) return JSON.stringify(value);
        const { iv, data } = value as Sealed;
        return decoder.decode(await crypto.subtle.decrypt(sealing(iv, store, key), this.#key, data));
    }
}

async function isFree(transaction: IDBTransaction, store: string, key: Key): Promise<boolean> {
    return (await result(transaction.objectStore(store).count(key))) === 0;
}

/** How a text is encrypted: bound to its place, so that nothing encrypted can be moved to another one. */
function sealing(iv: Uint8Array<ArrayBuffer>, store: string, key: Key): AesGcmParams {
    return { name: "AES-GCM", iv, additionalData: encoder.encode(JSON.stringify([store, key])) };
}
