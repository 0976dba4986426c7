// Offline play on this device: the download of its parts, the service worker, updates, and the installed app.
import { downloadParts, fetchPartsList, missingParts, PARTS_LIST, reasonOf } from "./download";
import type { DownloadFailure } from "./download";
import type { PartsList } from "./messages";
import type { Answer, FromServiceWorker, ToServiceWorker } from "./service-worker-messages";

export type { DownloadFailure } from "./download";

export type InstallationState =
    | { kind: "none" }
    | { kind: "downloading"; received: number; total: number } // bytes, compressed
    | { kind: "ready" }
    | { kind: "updating" } // a new version is being downloaded; the present one can be played
    | { kind: "failed"; reason: DownloadFailure };

export interface Sizes {
    download: number; // bytes, compressed
    stored: number; // bytes on the device
}

/** Chromium's event that offers to install the app. */
interface InstallPrompt extends Event {
    prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const SERVICE_WORKER = "/service-worker.js";
const CACHES = /^sevenhues-/;
const UPDATE_INTERVAL = 60 * 60 * 1000; // ms between looks for a new version

export class Installation {
    state = $state.raw<InstallationState>({ kind: "none" });
    updateReady = $state(false); // a new version is stored; `applyUpdate` reloads the page into it
    updateFailure = $state<DownloadFailure | null>(null); // why the last update could not be downloaded
    canInstall = $state(false); // the browser offers to install the app
    persisted = $state<boolean | null>(null); // whether the browser promises to keep the data; null if unknown
    readonly supported = "serviceWorker" in navigator && "caches" in globalThis;
    readonly opened: Promise<void>; // settles when `state` is known

    #registration: ServiceWorkerRegistration | undefined;
    #prompt: InstallPrompt | undefined;
    #download: AbortController | undefined; // that can still be cancelled
    #controlled = this.supported && navigator.serviceWorker.controller !== null;
    #reloading = false;
    #lookedAt = Date.now();

    constructor() {
        window.addEventListener("beforeinstallprompt", (event) => {
            event.preventDefault(); // the page shows its own button
            this.#prompt = event as InstallPrompt;
            this.canInstall = true;
        });
        window.addEventListener("appinstalled", () => {
            this.canInstall = false;
            void this.makeAvailable();
        });
        this.opened = this.supported ? this.#open() : Promise.resolve();
    }

    /** Download everything that offline play needs. What was downloaded before is not downloaded again. */
    async makeAvailable(): Promise<void> {
        if (!this.supported) return this.#fail("unsupported");
        if (this.state.kind === "downloading" || this.state.kind === "updating") return;
        this.state = { kind: "downloading", received: 0, total: 0 };
        this.updateFailure = null;
        const { signal } = (this.#download = new AbortController());
        try {
            const list = await fetchPartsList();
            const total = sizesOf(list).download;
            const progress = (received: number): void => {
                if (!signal.aborted) this.state = { kind: "downloading", received, total };
            };
            await downloadParts(list, progress, signal);
            if (signal.aborted) return;
            this.#download = undefined; // what follows takes a moment, and is not cancelled
            await this.#register();
            const failure = await this.#complete();
            if (failure) return this.#fail(failure);
        } catch (error) {
            if (signal.aborted) return;
            return this.#fail(
                error instanceof NotInstalled ? (this.updateFailure ?? "network") : reasonOf(error),
            );
        }
        this.state = { kind: "ready" };
        void navigator.storage?.persist?.().then((persisted) => (this.persisted = persisted));
    }

    /** Stop the download of the parts. Those that have arrived are kept for the next time. */
    cancel(): void {
        if (!this.#download) return;
        this.#download.abort();
        this.#download = undefined;
        this.state = { kind: "none" };
    }

    /** Delete the parts and the service worker. Games on this device are kept. */
    async remove(): Promise<void> {
        const registration = await navigator.serviceWorker.getRegistration("/");
        await registration?.unregister();
        const names = (await caches.keys()).filter((name) => CACHES.test(name));
        await Promise.all(names.map((name) => caches.delete(name)));
        this.#registration = undefined;
        this.updateReady = false;
        this.updateFailure = null;
        this.state = { kind: "none" };
    }

    /** Reload this page in the new version. Other tabs keep theirs until they are reloaded. */
    async applyUpdate(): Promise<void> {
        this.#reloading = true;
        const waiting = this.#registration?.waiting;
        if (waiting) {
            const changed = new Promise((resolve) =>
                navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
            );
            waiting.postMessage({ type: "take-over" } satisfies ToServiceWorker);
            await changed;
        }
        location.reload();
    }

    /** Look for a new version now. */
    async lookForUpdate(): Promise<void> {
        this.#lookedAt = Date.now();
        await this.#registration?.update().catch(() => {}); // without a network there is none
    }

    /** Show the browser's dialog that installs the app; false if it was dismissed. */
    async install(): Promise<boolean> {
        const prompt = this.#prompt;
        if (!prompt) return false;
        this.#prompt = undefined; // it can be shown once
        this.canInstall = false;
        return (await prompt.prompt()).outcome === "accepted";
    }

    /** Return what offline play costs, from the server's list. */
    async sizes(): Promise<Sizes> {
        return sizesOf(await fetchPartsList());
    }

    /** Return the parts of this page's version, which the worker is started with. */
    async parts(): Promise<PartsList> {
        const response = await fetch(PARTS_LIST); // the service worker answers
        return (await response.json()) as PartsList;
    }

    async #open(): Promise<void> {
        navigator.serviceWorker.addEventListener("controllerchange", () => {
            if (this.#controlled && !this.#reloading) this.updateReady = true; // another tab took the update
            this.#controlled = true;
        });
        navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<FromServiceWorker>) => {
            if (data.type === "install-failed") this.updateFailure = data.failure;
        });
        document.addEventListener("visibilitychange", () => {
            const isDue = Date.now() - this.#lookedAt > UPDATE_INTERVAL;
            if (isDue && document.visibilityState === "visible") void this.lookForUpdate();
        });
        window.addEventListener("online", () => void this.lookForUpdate());
        const registration = await navigator.serviceWorker.getRegistration("/");
        if (!registration?.active) return;
        registration.active.postMessage({ type: "opened" } satisfies ToServiceWorker);
        this.#follow(registration);
        const isComplete = (await missingParts(await this.parts())).length === 0;
        if (this.state.kind !== "none") return; // asked for meanwhile, or updating
        this.state = isComplete ? { kind: "ready" } : { kind: "none" };
        this.persisted = (await navigator.storage?.persisted?.()) ?? null;
    }

    /** Register the service worker, and wait until it is active. */
    async #register(): Promise<void> {
        const registration = await navigator.serviceWorker.register(SERVICE_WORKER, {
            updateViaCache: "none",
        });
        const first = registration.installing;
        if (first && !registration.active) await settled(first);
        const ready = await navigator.serviceWorker.ready;
        if (ready.active) await activated(ready.active); // until then it writes to the caches
        this.#follow(ready);
    }

    #follow(registration: ServiceWorkerRegistration): void {
        if (this.#registration === registration) return;
        this.#registration = registration;
        this.updateReady ||= registration.waiting !== null;
        const watch = async (): Promise<void> => {
            const installing = registration.installing;
            if (!installing || !registration.active) return;
            this.updateFailure = null;
            if (this.state.kind === "ready") this.state = { kind: "updating" };
            const isInstalled = await settled(installing).catch(() => false);
            this.updateReady ||= isInstalled;
            if (this.state.kind === "updating") this.state = { kind: "ready" };
        };
        registration.addEventListener("updatefound", () => void watch());
        void watch();
    }

    /** Let the active service worker download what it lacks; return why it could not. */
    #complete(): Promise<DownloadFailure | null> {
        const active = this.#registration?.active;
        if (!active) return Promise.resolve("network");
        return new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data.failure);
            active.postMessage({ type: "complete" } satisfies ToServiceWorker, [port2]);
        });
    }

    #fail(reason: DownloadFailure): void {
        this.state = { kind: "failed", reason };
    }
}

class NotInstalled extends Error {}

/** Wait until a service worker is installed; raise NotInstalled if it could not be. */
function settled(worker: ServiceWorker): Promise<boolean> {
    return new Promise((resolve, reject) => {
        const look = (): void => {
            if (worker.state === "redundant") reject(new NotInstalled());
            else if (worker.state !== "installing") resolve(true);
        };
        worker.addEventListener("statechange", look);
        look();
    });
}

/** Wait until a service worker has handled its activation, or was replaced. */
function activated(worker: ServiceWorker): Promise<void> {
    return new Promise((resolve) => {
        const look = (): void => {
            if (worker.state === "activated" || worker.state === "redundant") resolve();
        };
        worker.addEventListener("statechange", look);
        look();
    });
}

const sizesOf = (list: PartsList): Sizes => ({
    download: list.parts.reduce((sum, part) => sum + part.transferred, 0),
    stored: list.parts.reduce((sum, part) => sum + part.bytes, 0),
});
