// Games on this device, which are played without a server: see src/offline, which is loaded when it is needed.
import { createSubscriber } from "svelte/reactivity";
import { withMessages } from "../i18n/messages.svelte";
import type { TableInfo } from "../wire/types";

// Answers of a device that can play offline in place of the server: the user, games, new tables and records.
const ALSO_ON_DEVICE = /^\/api\/(me|games.*|tables|records)$/;

/** Whether a table is on this device. */
export const isOnDevice = (table: string): boolean => table.startsWith("offline-");

const followController = createSubscriber((changed) => {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined; // absent without HTTPS
    workers?.addEventListener("controllerchange", changed);
    return () => workers?.removeEventListener("controllerchange", changed);
});

/** Whether this device may be able to play offline: only its service worker knows. It may come while a page is open. */
export function mayPlayOffline(): boolean {
    followController();
    return Boolean(navigator.serviceWorker?.controller);
}

/** Load offline play. */
export const offlinePlay = () => withMessages(import("../offline/offline"));

/** Whether a request is answered on this device alone, there as well, or by the server alone. */
export function whereAnswered(method: string, address: string): "here" | "both" | "server" {
    if (address.startsWith("/api/tables/offline-")) return "here";
    return method !== "delete" && mayPlayOffline() && ALSO_ON_DEVICE.test(address) ? "both" : "server";
}

/** Return the games on this device. */
export async function tablesOnDevice(): Promise<TableInfo[]> {
    return mayPlayOffline() ? (await offlinePlay()).listed() : [];
}

/** Delete the games and the name on this device. */
export async function forgetOnDevice(): Promise<void> {
    if (mayPlayOffline()) await (await offlinePlay()).forget();
}
