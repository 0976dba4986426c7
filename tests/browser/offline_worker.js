// Drives the worker of offline play from a page, as the client does, and remembers what the page was sent.
window.openDevice = async (script) => {
    const parts = await (await fetch("/offline/parts.json")).json();
    const device = { messages: [], failures: [], answers: {}, told: [], sent: {}, id: 0, worker: null };
    const waiting = new Set();
    const wake = () => waiting.forEach((resume) => resume());
    /** Wait until a function returns something; wait for ever if the worker is started again. */
    device.until = (found) => {
        const { worker } = device;
        return new Promise((resolve, reject) => {
            const resume = () => {
                const result = worker === device.worker && found();
                if (worker === device.worker && device.failed) reject(new Error(JSON.stringify(device.failures)));
                if (result) resolve(result);
                if (result || worker !== device.worker) waiting.delete(resume);
            };
            waiting.add(resume);
            resume();
        });
    };
    device.start = () => {
        device.ready = device.failed = false;
        const worker = (device.worker = new Worker(script, { type: "module" }));
        worker.onmessage = ({ data }) => {
            if (data.type === "ready") device.ready = true;
            else if (data.type === "failed") {
                device.failures.push(data);
                device.failed = data.reason === "start" || data.reason === "internal";
            } else if (data.type === "response") device.answers[data.id] = data;
            else if (data.type === "message") {
                const message = JSON.parse(data.text);
                device.messages.push(message);
                device.note(message);
            }
            wake();
        };
        worker.postMessage({ type: "start", parts });
        return device.until(() => device.ready);
    };
    /** Remember each move that the page was told of, and end the worker at the message that is `lastMessage`. */
    device.note = ({ type, id, ply, move }) => {
        if (type === "accepted" && device.sent[id]) device.told.push([device.sent[id].ply, device.sent[id].text]);
        else if (type === "update" && move) device.told.push([ply - 1, move.text]);
        else return;
        if (--device.lastMessage === 0) {
            device.worker.terminate();
            device.ended();
        }
    };
    device.playUntilEnded = async (count) => {
        const end = new Promise((resolve) => (device.ended = resolve));
        device.lastMessage = count;
        const play = async () => {
            while (!(await device.until(device.turn)).result) await device.move();
        };
        await Promise.race([end, play()]);
    };
    device.request = async (method, address, body) => {
        const id = ++device.id;
        const contentType = body ? "application/json" : null;
        device.worker.postMessage({ type: "request", id, method, address, body: body ? JSON.stringify(body) : null, contentType });
        const { status, body: text } = await device.until(() => device.answers[id]);
        return { status, body: JSON.parse(text || "null") };
    };
    device.send = (message) =>
        device.worker.postMessage({ type: "send", connection: 1, text: JSON.stringify(message) });
    device.connect = (table) => {
        device.messages.length = device.told.length = 0;
        device.lastMessage = Infinity;
        device.worker.postMessage({ type: "connect", connection: 1, table });
        device.send({ type: "ready", id: "ready", entropy: "q".repeat(20) });
        device.send({ type: "select-views", seats: [0] });
    };
    device.turn = () => {
        const update = device.messages.findLast(({ type }) => type === "update");
        const legal = update?.views.find(({ seat }) => seat === 0)?.legal;
        return legal?.length || update?.result ? update : null;
    };
    /** Make a move in seat 0 when it may; return the answer. */
    device.move = async () => {
        const { ply, views } = await device.until(device.turn);
        const id = `m${++device.id}`;
        const text = views.find(({ seat }) => seat === 0).legal[0];
        device.sent[id] = { ply, text };
        device.send({ type: "move", id, seat: 0, ply, text });
        return device.until(() => device.messages.find((message) => message.id === id));
    };
    device.history = () => device.until(() => device.messages.find(({ history }) => history?.length)?.history);
    window.device = device;
    await device.start();
};

/** Everything that IndexedDB holds, with bytes as lists of numbers. */
window.dumpStores = async () => {
    const request = indexedDB.open("sevenhues-offline");
    const database = await new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const dump = {};
    for (const name of database.objectStoreNames) {
        const store = database.transaction(name).objectStore(name);
        const values = store.getAll();
        await new Promise((resolve) => (values.onsuccess = resolve));
        dump[name] = await Promise.all(values.result.map(plain));
    }
    database.close();
    return dump;
};

async function plain(value) {
    if (value instanceof CryptoKey) {
        const exported = await crypto.subtle.exportKey("raw", value).then(() => true, () => false);
        return { extractable: value.extractable, exported };
    }
    if (!(value.data instanceof ArrayBuffer)) return value;
    return { ...value, iv: [...value.iv], data: [...new Uint8Array(value.data)] };
}
