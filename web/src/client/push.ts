// Push notifications of this browser: its subscription, which the server is told of, and the notifications it shows.
import { api } from "./api";
import type { Notifications } from "../wire/types";

const SERVICE_WORKER = "/service-worker.js";
const SUBSCRIBE_WITHIN = 20_000; // some browsers wait for their push service for ever

/** Why this browser cannot be notified; null if it can. */
export type Obstacle = "unsupported" | "blocked";

export function obstacle(): Obstacle | null {
    const supported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
    if (!supported) return "unsupported";
    return Notification.permission === "denied" ? "blocked" : null;
}

/** This browser's subscription, if the user has asked for notifications here. */
export async function subscription(): Promise<PushSubscription | null> {
    const registration = await registered();
    return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Ask for permission, subscribe this browser, and tell the server; null if the user did not allow it. */
export async function subscribe(publicKey: string, language: string): Promise<Notifications | null> {
    if ((await Notification.requestPermission()) !== "granted") return null;
    if (!(await registered()))
        await navigator.serviceWorker.register(SERVICE_WORKER, { updateViaCache: "none" });
    const { pushManager } = await navigator.serviceWorker.ready;
    const key = bytesOf(publicKey);
    const old = await pushManager.getSubscription();
    // A subscription with another key is of no use to this server.
    if (old && !sameBytes(old.options.applicationServerKey, key)) await old.unsubscribe();
    const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new DOMException("no answer", "TimeoutError")), SUBSCRIBE_WITHIN);
    });
    const asked = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    return report(await Promise.race([asked, late]), language);
}

/** Tell the server of a subscription, again if it knows it: its language may have changed. */
export function report(subscribed: PushSubscription, language: string): Promise<Notifications> {
    const { endpoint = "", keys = {} } = subscribed.toJSON();
    return api.addPush({ endpoint, p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "", language });
}

/** End this browser's subscription; the server forgets it first. */
export async function unsubscribe(): Promise<void> {
    const subscribed = await subscription();
    if (!subscribed) return;
    await api.removePush(subscribed.endpoint);
    await subscribed.unsubscribe();
}

/** Close the notifications about a table, which its user looks at now. */
export async function closeNotifications(table: string): Promise<void> {
    const shown = (await (await registered())?.getNotifications?.({ tag: table })) ?? [];
    shown.forEach((notification) => notification.close());
}

async function registered(): Promise<ServiceWorkerRegistration | undefined> {
    return "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration("/") : undefined;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
    const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function sameBytes(one: ArrayBuffer | null, other: Uint8Array): boolean {
    const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
    return bytes.length === other.length && bytes.every((byte, i) => byte === other[i]);
}
