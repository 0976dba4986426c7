// The HTTP API: a function for each call, typed by the server's schema. A refused request throws an ApiError.
import { offlinePlay, whereAnswered } from "./on-device";
import type { paths } from "../wire/schema";
import type {
    AddPasskey,
    BranchRequest,
    LessonTry,
    NewBotAccount,
    NewEmail,
    NewTable,
    NotificationChoices,
    PasskeySignIn,
    Problem,
    PushSubscriptionBody,
} from "../wire/types";

/** A request that was refused, or never answered (`key` is then "offline"). */
export class ApiError extends Error {
    constructor(
        readonly problem: Problem,
        readonly status: number,
    ) {
        super(problem.text);
    }
}

const OFFLINE: Problem = {
    key: "offline",
    text: "Can’t reach the server. Are you online?",
    parameters: {},
    rule: null,
};

const GATEWAY = [502, 503, 504];
const PATIENCE = 10_000; // ms

/** Told whether the server answers; not told while this device cannot answer in its place. */
export const reach = { changed: (_reached: boolean): void => {} };

type Method = "get" | "post" | "put" | "patch" | "delete";
type PathsWith<M extends Method> = {
    [P in keyof paths]: paths[P][M] extends object ? P : never;
}[keyof paths];
type Json<T> = T extends { content: { "application/json": infer J } } ? J : never;
type Parameters<O> = O extends { parameters: infer P } ? Pick<P, keyof P & ("path" | "query")> : object;
type Body<O> = O extends { requestBody: infer B } ? { body: Json<B> } : { body?: string };
type Answer<O> = O extends { responses: infer R } ? Json<R[keyof R & (200 | 201)]> : never;
type Values = Record<string, string | number | boolean | null | undefined>;

/** Fill in an address of the schema; parameters that are null are left out. */
function addressOf(address: string, path: Values = {}, query: Values = {}): string {
    const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const filled = address.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
    return search ? `${filled}?${search}` : filled;
}

async function send(method: Method, address: string, body: unknown): Promise<Response> {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const where = whereAnswered(method, address);
    const response =
        (where === "here" ? null : await askServer(method, address, text, where === "both")) ??
        (where === "server" ? null : await askDevice(method, address, text));
    if (response?.ok) return response;
    const problem = (await response?.json().catch(() => OFFLINE)) as Problem | undefined;
    throw new ApiError(problem?.key ? problem : OFFLINE, response?.status ?? 0);
}

/** Ask the server; null if it was not reached. It is not waited for long if this device can answer, too. */
async function askServer(
    method: Method,
    address: string,
    body: string | undefined,
    impatient: boolean,
): Promise<Response | null> {
    try {
        const response = await fetch(address, {
            method: method.toUpperCase(),
            credentials: "same-origin",
            ...(impatient && { signal: AbortSignal.timeout(PATIENCE) }),
            ...(body !== undefined && { headers: { "content-type": "application/json" }, body }),
        });
        if (GATEWAY.includes(response.status) && !/json/.test(response.headers.get("content-type") ?? ""))
            return null; // a proxy, whose server is away
        reach.changed(true);
        return response;
    } catch {
        return null;
    }
}

async function askDevice(method: Method, address: string, body?: string): Promise<Response | null> {
    const { answer } = await offlinePlay();
    const response = await answer(method.toUpperCase(), address, body);
    if (response && !address.startsWith("/api/tables/")) reach.changed(false);
    return response;
}

/** Send a request of the schema, and return its answer. A body that is text is sent as it is. */
async function call<M extends Method, P extends PathsWith<M>>(
    method: M,
    address: P,
    request: Parameters<paths[P][M]> & Body<paths[P][M]>,
): Promise<Answer<paths[P][M]>> {
    const { path, query, body } = request as { path?: Values; query?: Values; body?: unknown };
    const response = await send(method, addressOf(address, path, query), body);
    return (await response.json()) as Answer<paths[P][M]>;
}

export type Which = paths["/api/tables"]["get"]["parameters"]["query"]["which"];

export const api = {
    server: () => call("get", "/api/server", {}),
    games: () => call("get", "/api/games", {}),
    rules: async (game: string, language: string) =>
        (await send("get", addressOf("/api/games/{game}/rules", { game }, { language }), undefined)).text(),
    lesson: (game: string, language: string) =>
        call("get", "/api/games/{game}/lesson", { path: { game }, query: { language } }),
    tryStep: (game: string, step: string, body: LessonTry) =>
        call("post", "/api/games/{game}/lesson/{step}", { path: { game, step }, body }),
    me: () => call("get", "/api/me", {}),
    rename: (name: string) => call("patch", "/api/me", { body: { name } }),
    forget: () => call("delete", "/api/me", {}),
    transferCode: () => call("post", "/api/me/transfer-code", {}),
    transfer: (code: string) => call("post", "/api/me/transfer", { body: { code } }),
    passkeys: () => call("get", "/api/me/passkeys", {}),
    beginPasskey: () => call("post", "/api/me/passkeys/challenge", {}),
    addPasskey: (body: AddPasskey) => call("post", "/api/me/passkeys", { body }),
    renamePasskey: (passkey: string, name: string) =>
        call("patch", "/api/me/passkeys/{passkey}", { path: { passkey }, body: { name } }),
    removePasskey: (passkey: string) => call("delete", "/api/me/passkeys/{passkey}", { path: { passkey } }),
    beginSignIn: (leave: boolean) => call("post", "/api/me/sign-in/challenge", { body: { leave } }),
    signIn: (body: PasskeySignIn) => call("post", "/api/me/sign-in", { body }),
    signOut: () => call("post", "/api/me/sign-out", {}),
    vacation: () => call("get", "/api/me/vacation", {}),
    beginVacation: (days: number) => call("post", "/api/me/vacation", { body: { days } }),
    endVacation: () => call("delete", "/api/me/vacation", {}),
    recoveryCode: () => call("post", "/api/me/recovery-code", {}),
    recover: (code: string, leave: boolean) => call("post", "/api/me/recover", { body: { code, leave } }),
    notifications: () => call("get", "/api/me/notifications", {}),
    chooseNotifications: (body: NotificationChoices) => call("put", "/api/me/notifications", { body }),
    stopNotifications: () => call("delete", "/api/me/notifications", {}),
    addPush: (body: PushSubscriptionBody) => call("post", "/api/me/notifications/push", { body }),
    removePush: (endpoint: string) =>
        call("post", "/api/me/notifications/push/remove", { body: { endpoint } }),
    addEmail: (body: NewEmail) => call("post", "/api/me/notifications/email", { body }),
    removeEmail: () => call("delete", "/api/me/notifications/email", {}),
    confirmEmail: (token: string) => call("post", "/api/notifications/confirm", { body: { token } }),
    unsubscribe: (token: string) =>
        call("post", "/api/notifications/unsubscribe/{token}", { path: { token } }),
    tables: (which: Which, before: string | null = null, unfinished = false) =>
        call("get", "/api/tables", { query: { which, before, unfinished } }),
    table: (table: string) => call("get", "/api/tables/{table}", { path: { table } }),
    createTable: (body: NewTable) => call("post", "/api/tables", { body }),
    join: (table: string, seat: number | null = null, name: string | null = null) =>
        call("post", "/api/tables/{table}/join", { path: { table }, body: { seat, name } }),
    seatBot: (table: string, seat: number, level: string) =>
        call("post", "/api/tables/{table}/seats/{seat}/bot", { path: { table, seat }, body: { level } }),
    hint: (table: string, seat: number) =>
        call("post", "/api/tables/{table}/seats/{seat}/hint", { path: { table, seat } }),
    leave: (table: string, seat: number) =>
        call("post", "/api/tables/{table}/seats/{seat}/leave", { path: { table, seat } }),
    replay: (table: string, view: number | string, from: number, most: number, text: boolean) =>
        call("get", "/api/tables/{table}/replay", {
            path: { table },
            query: { view: String(view), from, most, text },
        }),
    upload: (record: string, offlineId: string | null = null) =>
        call("post", "/api/records", { query: { offline_id: offlineId }, body: record }),
    branch: (table: string, body: BranchRequest) =>
        call("post", "/api/tables/{table}/branch", { path: { table }, body }),
    analysis: (table: string) => call("get", "/api/tables/{table}/analysis", { path: { table } }),
    analyse: (table: string) => call("post", "/api/tables/{table}/analysis", { path: { table } }),
    beliefs: (table: string, ply: number, seat: number) =>
        call("get", "/api/tables/{table}/beliefs", { path: { table }, query: { ply, seat } }),
    leaderboard: (game: string, after = 0, players: "people" | "bots" = "people") =>
        call("get", "/api/ratings/{game}", { path: { game }, query: { after, players } }),
    bots: () => call("get", "/api/bots", {}),
    createBot: (body: NewBotAccount) => call("post", "/api/bots", { body }),
    changeBot: (player: string, body: NewBotAccount) =>
        call("patch", "/api/bots/{player}", { path: { player }, body }),
    replaceBotToken: (player: string) => call("post", "/api/bots/{player}/token", { path: { player } }),
    revokeBotToken: (player: string) => call("delete", "/api/bots/{player}/token", { path: { player } }),
    deleteBot: (player: string) => call("delete", "/api/bots/{player}", { path: { player } }),
    onlineBots: (game: string) => call("get", "/api/bots/online", { query: { game } }),
    profile: (player: string) => call("get", "/api/players/{player}", { path: { player } }),
    ratedGames: (player: string, before: number | null = null) =>
        call("get", "/api/players/{player}/games", { path: { player }, query: { before } }),
    ratingChanges: (table: string) => call("get", "/api/tables/{table}/ratings", { path: { table } }),
    record: async (table: string) =>
        (await send("get", addressOf("/api/tables/{table}/record", { table }), undefined)).text(),
    recordAddress: (table: string) => addressOf("/api/tables/{table}/record", { table }),
};
