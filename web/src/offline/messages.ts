// The messages between a page and the worker that plays its offline games, and the list of parts that the worker loads.

export type ToWorker =
    | { type: "start"; parts: PartsList } // the first message
    | {
          type: "request";
          id: number;
          method: string;
          address: string;
          body: string | null;
          contentType: string | null;
      }
    | { type: "connect"; connection: number; table: string }
    | { type: "send"; connection: number; text: string }
    | { type: "disconnect"; connection: number };

export type FromWorker =
    | { type: "ready" }
    | { type: "failed"; reason: Failure; text: string }
    | { type: "response"; id: number; status: number; mediaType: string; body: string }
    | { type: "opened"; connection: number }
    | { type: "message"; connection: number; text: string } // exactly what the websocket would carry
    | { type: "closed"; connection: number; code: number; reason: string };

export type Failure = "start" | "storage-full" | "storage" | "internal";

/** A file that the worker loads; `bytes` is its size, `transferred` its size when it is compressed. */
export interface Part {
    name: string;
    path: string;
    bytes: number;
    transferred: number;
}

export interface PartsList {
    version: string;
    parts: Part[];
}
