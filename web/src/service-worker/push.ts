// Push messages: each is shown as a notification, and a click on it opens the table, in an open tab if there is one.
import type { OpenPage, PushMessage, WhichPage } from "../client/push-messages";

declare const self: ServiceWorkerGlobalScope;

const ICON = "/icon-turn.svg";
const ANSWER_MS = 300; // for an open page to say what it shows; a page that sleeps does not answer

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open((event.notification.data as { link?: string } | null)?.link ?? "/"));
});

// The browser has replaced a subscription by itself: the server hears of the new one.
self.addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil(renew(event));
});

/** Show a message. A browser that gets one must show something, even if it cannot be read. */
async function show(data: PushMessageData | null): Promise<void> {
    const { title = "Seven Hues", text = "", table = "", link = "/" } = read(data);
    // A later message about a table takes the place of an earlier one.
    await self.registration.showNotification(title, { body: text, tag: table, icon: ICON, data: { link } });
}

function read(data: PushMessageData | null): Partial<PushMessage> {
    try {
        const message: unknown = data?.json();
        if (typeof message === "object" && message !== null) return message;
    } catch {
        // Not a message of ours.
    }
    return {};
}

/** Open a page of ours: where it is open already, else in another tab of ours, else in a new one. */
async function open(link: string): Promise<void> {
    const address = new URL(link, location.origin);
    if (address.origin !== location.origin) return;
    const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const paths = await Promise.all(tabs.map(pathOf));
    const tab = tabs[paths.indexOf(address.pathname)] ?? tabs[0];
    if (!tab) {
        await self.clients.openWindow(address.href);
        return;
    }
    tab.postMessage({ type: "open-page", path: address.pathname } satisfies OpenPage);
    await tab.focus();
}

/** Return the path of the page that a tab shows. Its `url` is the one that was loaded, before links were followed. */
function pathOf(tab: WindowClient): Promise<string> {
    return new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }: MessageEvent<string>) => resolve(data);
        setTimeout(() => resolve(new URL(tab.url).pathname), ANSWER_MS);
        tab.postMessage({ type: "which-page" } satisfies WhichPage, [port2]);
    });
}

async function renew(change: { oldSubscription?: PushSubscription | null }): Promise<void> {
    const old = change.oldSubscription;
    if (!old) return;
    const fresh = await self.registration.pushManager.subscribe(old.options);
    const { endpoint, keys = {} } = fresh.toJSON();
    const language = (navigator.language.split("-")[0] ?? "en").slice(0, 2);
    await fetch("/api/me/notifications/push", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ endpoint, p256dh: keys["p256dh"], auth: keys["auth"], language }),
    });
}
