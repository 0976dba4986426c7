// Messages of the service worker: those that the server pushes to it, and those that it sends to open pages.

/** A push message: the texts to show, and the page that a click opens. */
export interface PushMessage {
    kind: "turn" | "joined" | "rematch" | "deadline";
    table: string;
    game: string;
    opponents: string[];
    link: string;
    title: string;
    text: string;
}

/** To a page: answer with the path of the page that is shown now. */
export interface WhichPage {
    type: "which-page";
}

/** To a page: show another page of the client, because its notification was clicked. */
export interface OpenPage {
    type: "open-page";
    path: string;
}
