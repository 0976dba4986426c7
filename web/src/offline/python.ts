// Starts the Python package in this thread: Pyodide with the parts of a list.
import type { PartsList } from "./messages";

/** The part of `sevenhues.offline.server.OfflineServer` that JavaScript calls. */
export interface OfflineServer {
    open(): Promise<void>;
    request(id: number, method: string, address: string, body: string): void;
    connect(connection: number, table: string): void;
    send(connection: number, text: string): void;
    disconnect(connection: number): void;
    receive(text: string): void;
    lock_granted(name: string): void;
}

/** Pyodide's own types, as far as they are used here: the worker loads it from its parts, not from a package. */
interface Pyodide {
    version: string;
    unpackArchive(bytes: ArrayBuffer, format: "zip", options: { extractDir: string }): void;
    pyimport(module: string): Record<string, (...values: unknown[]) => unknown>;
    runPython(code: string): unknown;
    setDebug(on: boolean): void;
}
interface PyodideModule {
    version: string;
    loadPyodide(options: Record<string, unknown>): Promise<Pyodide>;
}

const PACKAGES = "/lib/sevenhues";

/** Load Python with the package; `load` imports a module, and `read` fetches bytes. */
export async function startPython(
    parts: PartsList,
    load: (path: string) => Promise<unknown>,
    read: (path: string) => Promise<ArrayBuffer>,
): Promise<Pyodide> {
    const path = (name: string): string => {
        const part = parts.parts.find((one) => one.name === name);
        if (!part) throw new Error(`the list of parts has no ${name}`);
        return part.path;
    };
    const [loader, runtime, lock, packages, own] = await Promise.all([
        load(path("pyodide.mjs")) as Promise<PyodideModule>,
        load(path("pyodide.asm.mjs")) as Promise<{ default: unknown }>,
        read(path("pyodide-lock.json")),
        read(path("packages.zip")),
        read(path("sevenhues.zip")),
    ]);
    const pyodide = await loader.loadPyodide({
        // Pyodide adds the name of a file to this address: the fragment lets it find the one with its hash.
        indexURL: `${path("pyodide.asm.wasm")}#/`,
        createPyodideModule: runtime.default,
        stdLibURL: path("python_stdlib.zip"),
        lockFileContents: new TextDecoder().decode(lock),
        packageBaseUrl: "/",
    });
    for (const archive of [packages, own]) pyodide.unpackArchive(archive, "zip", { extractDir: PACKAGES });
    pyodide.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
    return pyodide;
}
