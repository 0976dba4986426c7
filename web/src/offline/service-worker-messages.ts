// The messages between a page and the service worker.
import type { DownloadFailure } from "./download";

export type ToServiceWorker =
    | { type: "take-over" } // the person wants the new version now
    | { type: "opened" } // a page was loaded: versions that no page uses any more can be deleted
    | { type: "complete" }; // download what is missing; the port gets an Answer

/** How a download ended: `null` if everything is stored. */
export interface Answer {
    failure: DownloadFailure | null;
}

export interface FromServiceWorker {
    type: "install-failed";
    failure: DownloadFailure;
}
