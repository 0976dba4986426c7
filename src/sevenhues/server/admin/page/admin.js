// The admin page: a list for each page of the navigation, and a confirmation before every act.
const DAY = 86_400;
const DURATIONS = [
    ["", "for good"],
    [String(3600), "one hour"],
    [String(DAY), "one day"],
    [String(7 * DAY), "one week"],
    [String(30 * DAY), "30 days"],
];
const TIMES = ["until", "starts", "ends"]; // among the details of acts

const main = document.querySelector("main");
const message = document.querySelector("#message");
const dialog = document.querySelector("dialog");

class Refused extends Error {}

/** Make an element with attributes, and with elements or texts in it. */
function make(tag, attributes, ...content) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...content.filter((one) => one !== null));
    return element;
}

const line = (...content) => make("p", null, ...content);
const quiet = (text) => make("p", { class: "muted" }, text);
const when = (at) =>
    at === null ? "–" : new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(at);
const address = (...parts) => `/api/admin/${parts.map(encodeURIComponent).join("/")}`;

/** Send a request; an error says why it was refused. */
async function call(method, path, body) {
    const sent =
        body === undefined
            ? {}
            : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    let answer;
    try {
        answer = await fetch(path, { method, ...sent });
    } catch {
        throw new Refused("The server cannot be reached.");
    }
    const content = await answer.json().catch(() => ({}));
    if (answer.ok) return content;
    if (answer.status === 404 && content.key === "no-page")
        throw new Refused("The session has ended: open a new link from “sevenhues admin link”.");
    throw new Refused(content.text ?? `The server answered ${answer.status}.`);
}

function say(text) {
    message.textContent = text;
}

/** Run something, and say why it failed. */
async function attempt(work) {
    try {
        await work();
    } catch (error) {
        if (!(error instanceof Refused)) throw error;
        say(error.message);
    }
}

function field(name, label, settings = {}) {
    const { options, ...attributes } = settings;
    const input = options
        ? make("select", { name }, ...options.map(([value, text]) => make("option", { value }, text)))
        : make("input", { name, autocomplete: "off", ...attributes });
    return make("label", null, label, input);
}

const reasonField = () =>
    field("reason", "Reason, which the person sees", { required: true, maxlength: 200 });

/** Ask before an act. Return what was entered; null if it was cancelled. */
function ask(question, consequence, button, fields = []) {
    dialog.querySelector("#question").textContent = question;
    dialog.querySelector("#consequence").textContent = consequence;
    dialog.querySelector("#confirm").textContent = button;
    dialog.querySelector("#fields").replaceChildren(...fields);
    dialog.returnValue = "cancel";
    dialog.showModal();
    return new Promise((resolve) => {
        dialog.addEventListener(
            "close",
            () => {
                const entered = Object.fromEntries(new FormData(dialog.querySelector("form")));
                resolve(dialog.returnValue === "do" ? entered : null);
            },
            { once: true },
        );
    });
}

/** Make the button of an act: it asks, acts, says so, and shows the page again. */
function act({ label, question, consequence, fields = () => [], risky = false, run }) {
    const start = () =>
        attempt(async () => {
            const entered = await ask(question, consequence, label, fields());
            if (entered === null) return;
            say((await run(entered)) ?? "Done. It is in the audit log.");
            await show(false);
        });
    return make("button", { class: risky ? "btn risky" : "btn", type: "button", click: start }, label);
}

const seconds = (entered) => (entered.seconds ? Number(entered.seconds) : null);
const untilText = ({ until }) => (until === null ? "for good" : `until ${when(until)}`);

// -- People

function search(label, value, hash, ...more) {
    const submit = (event) => {
        event.preventDefault();
        const entered = new FormData(event.target);
        location.hash = `${hash}?${new URLSearchParams(entered)}`;
    };
    const box = make("input", { name: "q", type: "search", value, autocomplete: "off" });
    return make(
        "form",
        { class: "search", role: "search", submit },
        make("label", null, label, box),
        ...more,
        make("button", { class: "btn primary" }, "Search"),
    );
}

function personLines(person) {
    const marks = person.restrictions.map((one) =>
        make("p", { class: "danger" }, `${one.kind} ${untilText(one)}: ${one.reason}`),
    );
    const similar = person.lookalikes.length
        ? quiet(`${person.lookalikes.length} more with a name that looks like this one`)
        : null;
    return [
        make("h3", null, make("a", { href: `#person/${person.id}` }, person.name)),
        make("p", { class: "muted num" }, person.id),
        person.deleted === null ? null : make("p", { class: "danger" }, `Deleted ${when(person.deleted)}`),
        similar,
        ...marks,
    ];
}

async function people(query) {
    const q = query.get("q") ?? "";
    const { people: found, more } = await call("GET", `/api/admin/people?${new URLSearchParams({ q })}`);
    return [
        make("h2", null, "People"),
        search("User id, id of the public profile, or part of a name", q, "people"),
        make("ul", { class: "list" }, ...found.map((one) => make("li", null, ...personLines(one)))),
        found.length ? null : quiet("Nobody."),
        more ? quiet("There are more: search for something longer.") : null,
    ];
}

async function person(query, id) {
    const { person: one, networks, tables: own } = await call("GET", address("people", id));
    const path = (last) => address("people", id, last);
    const has = (kind) => one.restrictions.some((restriction) => restriction.kind === kind);
    const durations = () => [reasonField(), field("seconds", "How long", { options: DURATIONS })];
    const restrict = (label, last, consequence) =>
        act({
            label,
            question: `${label} ${one.name}?`,
            consequence,
            fields: durations,
            risky: true,
            run: (entered) =>
                call("POST", path(last), { reason: entered.reason, seconds: seconds(entered) }).then(
                    () => null,
                ),
        });
    const lift = (label, last) =>
        act({
            label,
            question: `${label} ${one.name}?`,
            consequence: "",
            run: () => call("DELETE", path(last)).then(() => null),
        });
    const rename = act({
        label: "Rename",
        question: `Rename ${one.name}?`,
        consequence: "The name changes at all tables, too. The person can choose another one.",
        fields: () => [field("name", "New name", { required: true, maxlength: 40 })],
        run: async ({ name }) => {
            const { lookalikes } = await call("POST", path("name"), { name });
            return lookalikes.length
                ? `Done. Take care: the name looks like that of ${lookalikes[0].name}.`
                : null;
        },
    });
    const remove = act({
        label: "Delete data",
        question: `Delete all data of ${one.name}?`,
        consequence: "The name, the ratings and the seats are gone for good. It cannot be undone.",
        risky: true,
        run: () => call("DELETE", address("people", id)).then(() => null),
    });
    const save = act({
        label: "Export data",
        question: `Export all data of ${one.name}?`,
        consequence: "A file with everything that the server stores of the person is saved.",
        run: async () => {
            const text = JSON.stringify(await call("GET", path("export")), null, 1);
            const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
            make("a", { href: url, download: `${id}.json` }).click();
            URL.revokeObjectURL(url);
        },
    });
    return [
        make("h2", null, one.name),
        line(make("span", { class: "muted" }, "User id "), make("span", { class: "num" }, one.id)),
        line(make("a", { href: `/players/${one.player}` }, "Public profile")),
        ...personLines(one).slice(2),
        ...one.lookalikes.map((other) => line("Looks like ", make("a", { href: `#person/${other}` }, other))),
        networks.length ? line(`Connected from ${networks.join(", ")}`) : null,
        make(
            "p",
            { class: "buttons" },
            rename,
            has("banned")
                ? lift("Unban", "ban")
                : restrict("Ban", "ban", "The person can only read, in every tab."),
            has("flagged")
                ? lift("Unflag", "flag")
                : act({
                      label: "Flag as program",
                      question: `Flag ${one.name} as a program?`,
                      consequence: "Games from now on do not count. For those before, rebuild the ratings.",
                      fields: () => [field("reason", "Reason", { required: true, maxlength: 200 })],
                      risky: true,
                      run: ({ reason }) => call("POST", path("flag"), { reason }).then(() => null),
                  }),
            has("muted")
                ? lift("Unmute", "mute")
                : restrict("Mute", "mute", "The person can play, but say nothing."),
            save,
            remove,
        ),
        line(make("a", { href: `#log?target=${id}` }, "What operators did")),
        make("h3", null, "Latest tables"),
        tableList(own),
    ];
}

// -- Tables

function tableList(found) {
    if (!found.length) return quiet("None.");
    return make("ul", { class: "list" }, ...found.map((table) => make("li", null, ...tableLines(table))));
}

function tableLines(table) {
    const names = table.seats.map((seat) =>
        seat.kind === "open" ? "open" : (seat.name ?? `bot: ${seat.level ?? ""}`),
    );
    const end = act({
        label: table.status === "waiting" ? "Remove table" : "End game",
        question: `End the table ${table.id}?`,
        consequence:
            "The game ends without a winner and is not rated. A table that has not started is removed.",
        fields: () => [reasonField()],
        risky: true,
        run: ({ reason }) => call("POST", address("tables", table.id, "end"), { reason }).then(() => null),
    });
    return [
        make("h3", null, make("a", { href: `/t/${table.id}` }, table.id)),
        line(`${table.game}, ${table.status}, ${table.ply} moves, ${when(table.updated)}`),
        quiet(names.join(", ")),
        table.status === "finished" ? null : make("p", { class: "buttons" }, end),
    ];
}

async function tables(query) {
    const [q, status] = [query.get("q") ?? "", query.get("status") ?? ""];
    const asked = new URLSearchParams(status ? { q, status } : { q });
    const found = await call("GET", `/api/admin/tables?${asked}`);
    const options = [
        ["", "any status"],
        ["waiting", "waiting"],
        ["playing", "playing"],
        ["finished", "finished"],
    ];
    const choice = field("status", "Status", { options });
    choice.querySelector("select").value = status;
    return [
        make("h2", null, "Tables"),
        search("Part of the table’s id, or a player’s user id", q, "tables", choice),
        tableList(found.tables),
    ];
}

// -- Restrictions

async function restrictions() {
    const kinds = ["banned", "muted", "flagged"];
    const found = await Promise.all(kinds.map((kind) => call("GET", `/api/admin/restrictions?kind=${kind}`)));
    const ban = act({
        label: "Ban an address",
        question: "Ban an address?",
        consequence: "Nobody plays or signs in from there. Many people may share an address.",
        fields: () => [
            field("address", "IP address", { required: true, maxlength: 60 }),
            reasonField(),
            field("seconds", "How long", { options: DURATIONS.slice(1) }),
        ],
        risky: true,
        run: (entered) =>
            call("POST", address("addresses", "ban"), {
                address: entered.address,
                reason: entered.reason,
                seconds: seconds(entered),
            }).then(() => null),
    });
    return [
        make("h2", null, "Restrictions"),
        make("p", { class: "buttons" }, ban),
        ...found.flatMap(({ restrictions: all }, i) => [
            make("h3", null, kinds[i]),
            all.length
                ? make(
                      "ul",
                      { class: "list" },
                      ...all.map((one) => make("li", null, ...restrictionLines(one))),
                  )
                : quiet("None."),
        ]),
    ];
}

function restrictionLines(one) {
    const text = `${untilText(one)}: ${one.reason}`;
    if (!one.subject.startsWith("address "))
        return [line(make("a", { href: `#person/${one.subject}` }, one.subject)), quiet(text)];
    const network = one.subject.slice("address ".length);
    const lift = act({
        label: "Unban",
        question: `Unban ${network}?`,
        consequence: "",
        run: () => call("POST", address("addresses", "unban"), { address: network }).then(() => null),
    });
    return [line(network), quiet(text), make("p", { class: "buttons" }, lift)];
}

// -- Announcements

async function announcements() {
    const { announcements: all } = await call("GET", "/api/admin/announcements");
    const add = act({
        label: "Announce maintenance",
        question: "Announce maintenance?",
        consequence: "Everybody sees it at once, in their language. Times are those of this device.",
        fields: () => [
            field("starts", "It starts", { type: "datetime-local", required: true }),
            field("minutes", "It takes, in minutes", {
                type: "number",
                min: 1,
                max: 10080,
                value: 60,
                required: true,
            }),
            field("note", "Note, which is shown as it is", { maxlength: 200 }),
        ],
        run: ({ starts, minutes, note }) =>
            call("POST", "/api/admin/announcements", {
                starts: new Date(starts).getTime(),
                seconds: Number(minutes) * 60,
                note,
            }).then(() => null),
    });
    const lines = (one) => [
        line(`${when(one.starts)} to ${when(one.ends)}`),
        one.note ? quiet(one.note) : null,
        make(
            "p",
            { class: "buttons" },
            act({
                label: "Withdraw",
                question: "Withdraw the announcement?",
                consequence: "Nobody sees it any more.",
                run: () => call("DELETE", address("announcements", one.id)).then(() => null),
            }),
        ),
    ];
    return [
        make("h2", null, "Announcements"),
        make("p", { class: "buttons" }, add),
        all.length
            ? make("ul", { class: "list" }, ...all.map((one) => make("li", null, ...lines(one))))
            : quiet("None."),
    ];
}

// -- Load and errors

async function status() {
    const { processes } = await call("GET", "/api/admin/status");
    return [
        make("h2", null, "Load and errors"),
        make("ul", { class: "list" }, ...processes.map((one) => make("li", null, ...processLines(one)))),
    ];
}

function processLines(one) {
    return [
        make("h3", null, `${one.host} ${one.pid}`),
        quiet(`Version ${one.version}, since ${when(one.started)}`),
        line(`${one.connections} connections, ${one.tables} tables, ${one.searches} searches`),
        line(
            `Event loop ${one.loop_delay_ms} ms late, store ${one.store_ms} ms, memory ${one.memory_mb} MiB`,
        ),
        one.problems.length
            ? make("pre", { tabindex: "0", "aria-label": "Warnings and errors" }, problemText(one.problems))
            : quiet("No warnings or errors."),
    ];
}

const problemText = (problems) =>
    problems.map(({ at, level, text }) => `${when(at)}  ${level}  ${text}`).join("\n");

// -- The audit log

async function auditLog(query) {
    const { entries, more } = await call("GET", `/api/admin/log?${query}`);
    const older = new URLSearchParams(query);
    if (more !== null) older.set("before", String(more));
    return [
        make("h2", null, "Audit log"),
        entries.length
            ? make("ul", { class: "list" }, ...entries.map((one) => make("li", null, ...entryLines(one))))
            : quiet("Nothing."),
        more === null ? null : line(make("a", { class: "btn", href: `#log?${older}` }, "Older")),
    ];
}

function detailText(name, value) {
    if (!TIMES.includes(name)) return value;
    return value === null ? "for good" : when(value);
}

function entryLines({ number, at, operator, way, act: what, target, details }) {
    const shown = Object.entries(details).map(([name, value]) => `${name}: ${detailText(name, value)}`);
    return [
        line(make("b", null, what), ` ${target}`),
        quiet(`${number} · ${when(at)} · ${operator}, by ${way}`),
        shown.length ? line(shown.join(", ")) : null,
    ];
}

// -- Navigation

const PAGES = { people, person, tables, restrictions, announcements, status, log: auditLog };

/** Show the page that the address names; `focus` moves the keyboard there. */
async function show(focus = true) {
    const [path, query = ""] = location.hash.slice(1).split("?");
    const [name, id] = (path || "people").split("/");
    for (const link of document.querySelectorAll("nav a")) {
        const current = link.hash === `#${name === "person" ? "people" : name}`;
        if (current) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    const page = PAGES[name] ?? people;
    const content = await page(new URLSearchParams(query), id ?? "");
    main.replaceChildren(...content.filter((one) => one !== null));
    if (focus) main.focus();
}

dialog.querySelector("#cancel").addEventListener("click", () => dialog.close("cancel"));
document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address names the page
    main.focus();
});
addEventListener("hashchange", () => {
    say("");
    void attempt(show);
});
void attempt(() => show(false));
