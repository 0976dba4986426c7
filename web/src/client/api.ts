// The HTTP API, one function a call. What the server refuses is thrown as a ApiError that can be shown.
import type {
    Analysis,
    Beliefs,
    BranchRequest,
    GameInfo,
    Hints,
    Leaderboard,
    Lesson,
    LessonAnswer,
    LessonTry,
    Me,
    NewTable,
    Problem,
    Profile,
    RatedGames,
    Replay,
    TableInfo,
    TableList,
    TableRatings,
    TransferCode,
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

/** Asks the server; a body that is text already is sent as it is. */
async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(`/api${path}`, {
            method,
            credentials: "same-origin",
            ...(body === undefined
                ? {}
                : {
                      headers: { "content-type": "application/json" },
                      body: typeof body === "string" ? body : JSON.stringify(body),
                  }),
        });
    } catch {
        throw new ApiError(OFFLINE, 0);
    }
    if (response.ok) return response;
    const problem = (await response.json().catch(() => OFFLINE)) as Problem;
    throw new ApiError(problem.key ? problem : OFFLINE, response.status);
}

async function read<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await (await ask(method, path, body)).json()) as T;
}

export type Which = "mine" | "open" | "live" | "finished";

const game = (id: string): string => `/games/${encodeURIComponent(id)}`;
const table = (id: string): string => `/tables/${encodeURIComponent(id)}`;

export const api = {
    games: () => read<GameInfo[]>("GET", "/games"),
    rules: async (id: string, language: string) =>
        (await ask("GET", `${game(id)}/rules?language=${language}`)).text(),
    lesson: (id: string, language: string) => read<Lesson>("GET", `${game(id)}/lesson?language=${language}`),
    tryStep: (id: string, step: string, tried: LessonTry) =>
        read<LessonAnswer>("POST", `${game(id)}/lesson/${encodeURIComponent(step)}`, tried),
    me: () => read<Me>("GET", "/me"),
    rename: (name: string) => read<Me>("PATCH", "/me", { name }),
    forget: () => ask("DELETE", "/me"),
    transferCode: () => read<TransferCode>("POST", "/me/transfer-code"),
    transfer: (code: string) => read<Me>("POST", "/me/transfer", { code }),
    tables: (which: Which, before: string | null = null) =>
        read<TableList>(
            "GET",
            `/tables?which=${which}${before ? `&before=${encodeURIComponent(before)}` : ""}`,
        ),
    table: (id: string) => read<TableInfo>("GET", table(id)),
    createTable: (newTable: NewTable) => read<TableInfo>("POST", "/tables", newTable),
    join: (id: string, seat: number | null = null, name: string | null = null) =>
        read<TableInfo>("POST", `${table(id)}/join`, { seat, name }),
    seatBot: (id: string, seat: number, level: string) =>
        read<TableInfo>("POST", `${table(id)}/seats/${seat}/bot`, { level }),
    hint: (id: string, seat: number) => read<Hints>("POST", `${table(id)}/seats/${seat}/hint`),
    leave: (id: string, seat: number) => ask("POST", `${table(id)}/seats/${seat}/leave`),
    replay: (id: string, view: number | string, from: number, most: number, text: boolean) =>
        read<Replay>(
            "GET",
            `${table(id)}/replay?view=${view}&from=${from}&most=${most}${text ? "&text=true" : ""}`,
        ),
    upload: (record: string) => read<TableInfo>("POST", "/records", record),
    branch: (id: string, request: BranchRequest) => read<TableInfo>("POST", `${table(id)}/branch`, request),
    analysis: (id: string) => read<Analysis>("GET", `${table(id)}/analysis`),
    analyse: (id: string) => read<Analysis>("POST", `${table(id)}/analysis`),
    beliefs: (id: string, ply: number, seat: number) =>
        read<Beliefs>("GET", `${table(id)}/beliefs?ply=${ply}&seat=${seat}`),
    leaderboard: (game: string, after = 0) =>
        read<Leaderboard>("GET", `/ratings/${encodeURIComponent(game)}?after=${after}`),
    profile: (player: string) => read<Profile>("GET", `/players/${encodeURIComponent(player)}`),
    ratedGames: (player: string, before: number | null = null) =>
        read<RatedGames>(
            "GET",
            `/players/${encodeURIComponent(player)}/games${before === null ? "" : `?before=${before}`}`,
        ),
    ratingChanges: (id: string) => read<TableRatings>("GET", `${table(id)}/ratings`),
    recordAddress: (id: string) => `/api${table(id)}/record`,
};
