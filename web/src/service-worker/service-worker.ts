// The service worker: answers pages and assets from one complete version of the client, also without a network.
// Push messages are in push.ts.
import "./push";
import { reasonOf } from "../offline/download";
import type { Answer, FromServiceWorker, ToServiceWorker } from "../offline/service-worker-messages";
import { becomeCurrent, complete, deleteUnused, storedFile } from "./versions";

declare const self: ServiceWorkerGlobalScope;

const FIRST_PAGE = "/";

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) =>
    event.waitUntil(becomeCurrent().then(() => self.clients.claim())),
);

self.addEventListener("message", (event) => {
    const message = event.data as ToServiceWorker;
    if (message.type === "take-over") event.waitUntil(self.skipWaiting());
    if (message.type === "opened") event.waitUntil(deleteUnused());
    if (message.type === "complete") event.waitUntil(answerWhenComplete(event.ports[0]));
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== location.origin) return;
    if (pathname.startsWith("/api/") || pathname === "/healthz") return; // only the server knows
    if (pathname === "/admin" || pathname.startsWith("/admin/")) return; // not a page of this client
    const isPage = request.mode === "navigate" && !pathname.split("/").pop()?.includes(".");
    event.respondWith(answer(request, isPage ? FIRST_PAGE : pathname, isPage ? "" : event.clientId));
});

async function install(): Promise<void> {
    try {
        await complete();
    } catch (error) {
        const clients = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
        const message: FromServiceWorker = { type: "install-failed", failure: reasonOf(error) };
        clients.forEach((client) => client.postMessage(message));
        throw error; // the browser tries again at the next visit, and what is stored stays
    }
}

async function answerWhenComplete(port: MessagePort | undefined): Promise<void> {
    const failure = await complete()
        .then(becomeCurrent) // after a removal that this process outlived
        .then(() => null, reasonOf);
    port?.postMessage({ failure } satisfies Answer);
}

async function answer(request: Request, path: string, clientId: string): Promise<Response> {
    return (await storedFile(path, clientId)) ?? fetch(request);
}
